package dev.outpost.simulated.kubernetes.node;

import java.time.Duration;

/** A signal to a pod's worker. */
sealed interface PodSignal {
    /** The pod shall end within this time. */
    record Delete(Duration grace) implements PodSignal {}

    /** Its object was removed, so no more reports are needed. */
    record Gone() implements PodSignal {}

    /** A test has advanced the kubelet's clock, so waits may be over. */
    record TimeMoved() implements PodSignal {}

    record Ready() implements PodSignal {}

    record Exited(int code) implements PodSignal {}

    record Fail(PodFailure.Running failure) implements PodSignal {}
}
