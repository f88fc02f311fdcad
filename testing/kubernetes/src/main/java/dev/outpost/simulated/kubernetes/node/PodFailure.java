package dev.outpost.simulated.kubernetes.node;

import java.util.List;

/** A failure of a pod. */
public sealed interface PodFailure {

    /** A failure that keeps its container from running. */
    sealed interface AtStart extends PodFailure {}

    /** A failure that ends it once its container runs. */
    sealed interface Running extends PodFailure {}

    // ---- failures of the start

    /** The image cannot be pulled; {@code why} is the registry's reason, such as {@code manifest unknown}. */
    record ImagePull(String why) implements AtStart {}

    /** The image's name is malformed. */
    record InvalidImage() implements AtStart {}

    /** The container cannot be created, because a reference of its specification is invalid. */
    record ConfigError(String why) implements AtStart {}

    /** The node refuses the pod, for example because a device plugin has no device left. */
    record AdmissionError(String why) implements AtStart {}

    /** The pod stays in ContainerCreating; an event repeats the reason. */
    record Hang(String eventReason, String why) implements AtStart {}

    // ---- failures of a running pod

    /** Its process ends by itself. */
    record Crash(int exitCode, List<String> lastLines) implements Running {}

    /** Like {@link Crash}, repeatedly, in a pod that restarts. */
    record CrashLoop(int exitCode, List<String> lastLines) implements Running {}

    /** Its process is killed, as by {@code kill -9}. */
    record Killed() implements Running {}

    record OutOfMemory() implements Running {}

    /** The node lacks a resource and evicts it. */
    record Evicted(String why) implements Running {}

    /** The scheduler preempts it for a pod of higher priority. */
    record Preempted() implements Running {}

    /** The node does not answer any more, and the cluster gives it up. */
    record NodeLost() implements Running {}

    /** A user deletes it. */
    record Deleted() implements Running {}
}
