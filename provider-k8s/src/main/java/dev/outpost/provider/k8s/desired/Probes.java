package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import java.time.Duration;

/** How the kubelet asks a machine how it is: by TLS, whose certificate it does not check. */
final class Probes {
    /** The time in which a runtime with a GPU starts once it has its key, also on a node that starts many pods at once. */
    private static final Duration START = Duration.ofMinutes(5);

    private Probes() {}

    /** Often, since somebody waits; for as long as the runtime waits for its key, and then starts. */
    static Probe startup(Duration waitForKey) {
        return probe("/q/health/started")
                .withPeriodSeconds(1)
                .withTimeoutSeconds(5)
                .withFailureThreshold(Math.toIntExact(waitForKey.plus(START).toSeconds()))
                .build();
    }

    static Probe readiness() {
        return probe("/q/health/ready")
                .withPeriodSeconds(1)
                .withTimeoutSeconds(2)
                .withFailureThreshold(3)
                .build();
    }

    /** Patient: a machine that is busy answers late, and a restart would lose what it holds. */
    static Probe liveness() {
        return probe("/q/health/live")
                .withPeriodSeconds(10)
                .withTimeoutSeconds(5)
                .withFailureThreshold(6)
                .build();
    }

    private static ProbeBuilder probe(String path) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withPort(new IntOrString(MachineContainer.MANAGEMENT))
                .withScheme("HTTPS")
                .endHttpGet();
    }
}
