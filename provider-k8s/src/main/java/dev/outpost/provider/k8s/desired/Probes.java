package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import java.time.Duration;

/** The probes of a machine. The kubelet connects by TLS and does not check the certificate. */
final class Probes {
    /** The time in which a runtime with a GPU starts after it has its key, even on a node that starts many pods at once. */
    private static final Duration START = Duration.ofMinutes(5);

    private Probes() {}

    /** The startup probe. It runs often, because a client waits, and for as long as the runtime waits for its key and then starts. */
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

    /** The liveness probe. It is patient: a busy machine answers late, and a restart would lose its values. */
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
