package dev.outpost.system.k8s.cluster.control;

import dev.outpost.system.k8s.cluster.api.NameSuffix;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The pod of a Job. */
final class JobPods {
    private JobPods() {}

    /** A pod as the Job's template has it. */
    static Pod made(Job job) {
        PodTemplateSpec template = job.getSpec().getTemplate();
        return new PodBuilder()
                .withMetadata(template.getMetadata())
                .withSpec(template.getSpec())
                .editMetadata()
                .withName(job.getMetadata().getName() + "-" + NameSuffix.draw())
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
    }

    static Optional<Pod> of(Job job, List<Pod> pods) {
        return pods.stream().filter(pod -> isOf(job, pod)).findFirst();
    }

    private static boolean isOf(Job job, Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(job.getMetadata().getUid()));
    }

    static boolean hasEnded(Pod pod) {
        return Set.of("Succeeded", "Failed").contains(phase(pod));
    }

    static boolean hasSucceeded(Pod pod) {
        return phase(pod).equals("Succeeded");
    }

    /** One that is being deleted counts as failed, unless it succeeded. */
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
