package dev.outpost.simulated.kubernetes.node;

import java.util.List;

/** A failure of a pod. */
public sealed interface PodFailure {

    /** A failure that keeps its container from running. */
    sealed interface AtStart extends PodFailure {}

    /** A failure that ends it once its container runs. */
    sealed interface Running extends PodFailure {}

    // ---- at the start

    /** The image cannot be had; {@code why} as registries say it, such as {@code manifest unknown}. */
    record ImagePull(String why) implements AtStart {}

    /** The image's name cannot be read. */
    record InvalidImage() implements AtStart {}

    /** The container cannot be made, because of what its specification refers to. */
    record ConfigError(String why) implements AtStart {}

    /** The node refuses the pod, such as a device plugin that has no device left. */
    record AdmissionError(String why) implements AtStart {}

    /** It stays in ContainerCreating; an event says why over and over. */
    record Hang(String eventReason, String why) implements AtStart {}

    // ---- when it runs

    /** Its process ends by itself. */
    record Crash(int exitCode, List<String> lastLines) implements Running {}

    /** As {@link Crash}, again and again, in a pod that restarts. */
    record CrashLoop(int exitCode, List<String> lastLines) implements Running {}

    /** Somebody kills its process, as {@code kill -9}. */
    record Killed() implements Running {}

    record OutOfMemory() implements Running {}

    /** The node runs out of something and gets rid of it. */
    record Evicted(String why) implements Running {}

    /** The scheduler needs its place for one of a higher priority. */
    record Preempted() implements Running {}

    /** The node does not answer any more, and the cluster gives up waiting for it. */
    record NodeLost() implements Running {}

    /** Somebody deletes it. */
    record Deleted() implements Running {}
}
