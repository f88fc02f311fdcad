package dev.outpost.provider.k8s.desired;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of the runtime in a machine, as environment variables. */
final class RuntimeEnvironment {
    static final String CERTIFICATE = "OUTPOST_RUNTIME_CERTIFICATE";
    static final String KEY = "OUTPOST_RUNTIME_KEY";
    static final String TOKEN_FILE = "OUTPOST_RUNTIME_TOKEN_FILE";
    static final String GRANTS_FILE = "OUTPOST_RUNTIME_GRANTS_FILE";

    /** The file for the runtime's reason of its end. Kubernetes reads it. */
    static final String END_FILE = "/dev/termination-log";

    private RuntimeEnvironment() {}

    static List<EnvVar> of(KubernetesMachineSpec request) {
        List<EnvVar> variables = new ArrayList<>();
        variables.add(variable("OUTPOST_RUNTIME_HOST", "0.0.0.0"));
        variables.add(variable("OUTPOST_RUNTIME_PORT", String.valueOf(MachineContainer.SESSION_PORT)));
        variables.add(variable("OUTPOST_RUNTIME_MANAGEMENT_PORT", String.valueOf(MachineContainer.MANAGEMENT_PORT)));
        variables.add(variable("OUTPOST_RUNTIME_ENGINE", request.engine().text()));
        request.config().sources().ifPresent(allowed -> variables.add(variable("OUTPOST_RUNTIME_SOURCES", allowed)));
        variables.add(variable(CERTIFICATE, file(MachineKey.CERTIFICATE)));
        variables.add(variable(KEY, file(MachineKey.PRIVATE_KEY)));
        variables.add(
                request.lifetime() instanceof LifetimePolicy.Controlled
                        ? variable(GRANTS_FILE, file(MachineKey.GRANTS))
                        : variable(TOKEN_FILE, file(MachineKey.TOKEN)));
        variables.add(variable(
                "OUTPOST_RUNTIME_METRICS_TOKEN_FILE", MachineContainer.METRICS_FOLDER + "/" + MachineKey.TOKEN));
        DebugLog.setting().ifPresent(components -> variables.add(variable(DebugLog.VARIABLE, components)));
        addEnds(request, variables);
        // Code that is compiled for the GPU is stored in the home folder, and the root file system is read-only.
        variables.add(variable("HOME", MachineContainer.SCRATCH_FOLDER));
        return variables;
    }

    /**
     * Adds the settings that decide when the runtime ends. With a stated life, it ends only at the end of that life,
     * not for lack of clients or work.
     */
    private static void addEnds(KubernetesMachineSpec request, List<EnvVar> variables) {
        Optional<Duration> unused = unused(request);
        Duration session =
                request.config().sessionLease().orElse(request.config().lease());
        variables.add(time(
                "OUTPOST_RUNTIME_LEASE",
                unused.filter(lease -> lease.compareTo(session) < 0).orElse(session)));
        unused.ifPresent(lease -> variables.add(time("OUTPOST_RUNTIME_END_UNUSED", lease)));
        idle(request).ifPresent(bound -> variables.add(time("OUTPOST_RUNTIME_END_IDLE", bound)));
        variables.add(variable("OUTPOST_RUNTIME_END_FILE", END_FILE));
    }

    private static Optional<Duration> unused(KubernetesMachineSpec request) {
        return switch (request.lifetime()) {
            case LifetimePolicy.ClientLease leased ->
                Optional.of(request.config().lease());
            case LifetimePolicy.Stated stated -> Optional.empty();
            case LifetimePolicy.Controlled controlled -> controlled.bounds().lease();
        };
    }

    private static Optional<Duration> idle(KubernetesMachineSpec request) {
        return switch (request.lifetime()) {
            case LifetimePolicy.ClientLease leased -> request.config().idleTimeout();
            case LifetimePolicy.Stated stated -> Optional.empty();
            case LifetimePolicy.Controlled controlled -> controlled.bounds().idle();
        };
    }

    private static EnvVar time(String name, Duration time) {
        return variable(name, time.toString());
    }

    private static String file(String name) {
        return MachineContainer.KEY_FOLDER + "/" + name;
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVar(name, value, null);
    }
}
