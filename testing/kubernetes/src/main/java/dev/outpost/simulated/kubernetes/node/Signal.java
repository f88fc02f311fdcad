package dev.outpost.simulated.kubernetes.node;

import java.time.Duration;

/** A signal to a pod's worker. */
sealed interface Signal {
    /** The pod shall end, and has this long for it. */
    record Delete(Duration grace) implements Signal {}

    /** Its object is gone: nobody wants to hear of it. */
    record Gone() implements Signal {}

    /** A test has moved the kubelet's clock on: what is waited for may be due. */
    record TimeMoved() implements Signal {}

    record Ready() implements Signal {}

    record Exited(int code) implements Signal {}

    record Fail(PodFailure.Running failure) implements Signal {}
}
