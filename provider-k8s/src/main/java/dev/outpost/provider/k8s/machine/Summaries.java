package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the summaries of machines for lists. */
public final class Summaries {
    private Summaries() {}

    /** Returns the summaries, oldest first. */
    public static List<MachineSummary> of(List<Job> jobs, List<Pod> pods, Instant now) {
        return jobs.stream()
                .map(job -> of(job, pod(job, pods), now))
                .sorted(Comparator.comparing(MachineSummary::created).thenComparing(MachineSummary::id))
                .toList();
    }

    private static MachineSummary of(Job job, Optional<Pod> pod, Instant now) {
        JobLifecycle lifecycle = new JobLifecycle(job);
        Map<String, String> labels = job.getMetadata().getLabels();
        return new MachineSummary(
                job.getMetadata().getName(),
                labels.getOrDefault(MachineLabels.GPU, "?"),
                state(job, pod, now),
                owner(job),
                lifecycle.created(),
                lifecycle.ended().or(lifecycle::deadline),
                lifecycle.ended().isEmpty() && MachineLabels.STATED.equals(labels.get(MachineLabels.LIFE)));
    }

    private static Optional<Pod> pod(Job job, List<Pod> pods) {
        String machine = job.getMetadata().getName();
        return pods.stream()
                .filter(pod -> machine.equals(pod.getMetadata().getLabels().get(MachineLabels.MACHINE)))
                .max(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()));
    }

    private static String owner(Job job) {
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        return annotations == null ? "?" : annotations.getOrDefault(MachineLabels.OWNER, "?");
    }

    private static String state(Job job, Optional<Pod> pod, Instant now) {
        boolean isOver = new JobLifecycle(job).ended().isPresent();
        return switch (PodReasons.of(ObservedMachine.of(job, pod.orElse(null), now))) {
            case PodState.Coming coming -> isOver ? "ended" : coming.text();
            case PodState.Stuck stuck -> isOver ? "ended" : firstSentence(stuck.sentence());
            case PodState.Refused refused -> "failed: " + firstSentence(refused.sentence());
            case PodState.Running running -> running.ready() ? "running" : "starting";
            case PodState.Ended ended -> "ended: " + firstSentence(ended.loss().reason());
        };
    }

    /** Returns the first sentence, because a table has no room for the remedy. */
    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text.replaceFirst("\\.$", "") : text.substring(0, end);
    }
}
