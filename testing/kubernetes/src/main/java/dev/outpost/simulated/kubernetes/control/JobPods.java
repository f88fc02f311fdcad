package dev.outpost.simulated.kubernetes.control;

import dev.outpost.simulated.kubernetes.api.NameSuffix;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;

/** The pods of a Job. */
final class JobPods {
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private JobPods() {}

    /** Returns the number of pods that the Job has at a time. */
    static int count(Job job) {
        return Optional.ofNullable(job.getSpec().getParallelism()).orElse(1);
    }

    /**
     * Makes a pod by the Job's template.
     *
     * @param index the completion index of the pod; only pods of an Indexed Job get it
     */
    static Pod made(Job job, int index) {
        PodTemplateSpec template = job.getSpec().getTemplate();
        Pod pod = new PodBuilder()
                .withMetadata(template.getMetadata())
                .withSpec(template.getSpec())
                .editMetadata()
                .withName(name(job, index) + "-" + NameSuffix.draw())
                .withNamespace(job.getMetadata().getNamespace())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("batch/v1")
                        .withKind("Job")
                        .withName(job.getMetadata().getName())
                        .withUid(job.getMetadata().getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .build();
        return isIndexed(job) ? indexed(job, pod, index) : pod;
    }

    private static boolean isIndexed(Job job) {
        return "Indexed".equals(job.getSpec().getCompletionMode());
    }

    private static String name(Job job, int index) {
        return job.getMetadata().getName() + (isIndexed(job) ? "-" + index : "");
    }

    private static Pod indexed(Job job, Pod pod, int index) {
        PodBuilder told = new PodBuilder(pod)
                .editMetadata()
                .addToLabels(INDEX, String.valueOf(index))
                .addToAnnotations(INDEX, String.valueOf(index))
                .endMetadata()
                .editSpec()
                .withHostname(name(job, index))
                .endSpec();
        Pod named = told.build();
        named.getSpec()
                .getContainers()
                .forEach(container -> container
                        .getEnv()
                        .add(new EnvVarBuilder()
                                .withName("JOB_COMPLETION_INDEX")
                                .withValue(String.valueOf(index))
                                .build()));
        return named;
    }

    static List<Pod> of(Job job, List<Pod> pods) {
        return pods.stream().filter(pod -> isOf(job, pod)).toList();
    }

    private static boolean isOf(Job job, Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(job.getMetadata().getUid()));
    }

    static boolean hasSucceeded(Pod pod) {
        return phase(pod).equals("Succeeded");
    }

    /** Returns true if a pod has failed; one that is being deleted counts as failed, unless it succeeded. */
    static boolean hasFailed(Pod pod) {
        return phase(pod).equals("Failed") || isTerminating(pod) && !hasSucceeded(pod);
    }

    static boolean isTerminating(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private static String phase(Pod pod) {
        return pod.getStatus().getPhase();
    }
}
