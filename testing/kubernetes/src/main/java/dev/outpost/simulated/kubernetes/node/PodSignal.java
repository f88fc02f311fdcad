package dev.outpost.simulated.kubernetes.node;

import java.time.Duration;

/** A signal to a pod's worker. */
sealed interface PodSignal {
    /** The pod shall end, and has this long for it. */
    record Delete(Duration grace) implements PodSignal {}

    /** Its object is gone: nobody wants to hear of it. */
    record Gone() implements PodSignal {}

    /** A test has moved the kubelet's clock on: what is waited for may be due. */
    record TimeMoved() implements PodSignal {}

    record Ready() implements PodSignal {}

    record Exited(int code) implements PodSignal {}

    record Fail(PodFailure.Running failure) implements PodSignal {}
}
