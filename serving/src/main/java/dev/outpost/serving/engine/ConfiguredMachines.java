package dev.outpost.serving.engine;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.serving.config.ServingConfig;
import java.util.List;
import java.util.Optional;

/** Opens the machine that the configuration names. */
final class ConfiguredMachines {
    /**
     * The provider whose machine runs in this process, so that it may open the files that the user names. Other
     * machines have their own settings.
     */
    private static final String OWN = "mock";

    private final ServingConfig config;
    private final List<String> uris;

    /** @param uris the URIs of all served models */
    ConfiguredMachines(ServingConfig config, List<String> uris) {
        this.config = config;
        this.uris = uris;
    }

    /** Opens the configured machine and waits until it is ready. */
    RemoteMachine open() {
        RemoteMachine machine = config.endpoint()
                .map(endpoint -> RemoteMachine.connect(
                        endpoint, config.token().or(ConfiguredMachines::token).orElse(null), new MachineOptions()))
                .orElseGet(this::named);
        boolean isReady = false;
        try {
            machine.awaitReady();
            isReady = true;
        } finally {
            if (!isReady) {
                closeQuietly(machine);
            }
        }
        return machine;
    }

    /** Returns the token from the environment variable that other commands also use. */
    private static Optional<String> token() {
        return Optional.ofNullable(System.getenv("OUTPOST_TOKEN")).filter(value -> !value.isBlank());
    }

    private RemoteMachine named() {
        String[] parts = config.machine().split(":", -1);
        if (parts.length > 2 || parts[0].isBlank()) {
            throw new IllegalArgumentException(
                    "machine: expected PROVIDER:GPU, such as k8s:L4, got \"" + config.machine() + "\"");
        }
        MachineOptions options = new MachineOptions();
        if (OWN.equals(parts[0])) {
            options.option("sources", String.join(",", uris));
        }
        return RemoteMachine.of(parts[0], parts.length == 1 ? "any" : parts[1], options);
    }

    /** Closes a machine. Ignores the exception that a failed machine throws when it is closed. */
    static void closeQuietly(RemoteMachine machine) {
        try {
            machine.close();
        } catch (RuntimeException ignored) {
            // The earlier failure has been reported.
        }
    }
}
