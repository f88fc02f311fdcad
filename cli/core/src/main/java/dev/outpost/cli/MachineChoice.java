package dev.outpost.cli;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.support.EndpointOptions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose the machine of a command: a new machine of a provider, or a running one. */
public final class MachineChoice {
    @Option(
            names = "--machine",
            paramLabel = "PROVIDER:GPU",
            defaultValue = MachineName.DEFAULT,
            converter = MachineName.Converter.class,
            description =
                    "Where to compute; ${DEFAULT-VALUE} unless given. PROVIDER:GPUxN is N of them that compute as one.")
    private MachineName name;

    @Option(
            names = "--profile",
            paramLabel = "FILE",
            description =
                    "Write what program, wire and engine did, as a trace for ui.perfetto.dev or chrome://tracing.")
    private Path profile;

    @Mixin
    private EndpointOptions endpoint;

    /** Returns the provider's name; empty for a running machine. */
    public Optional<String> provider() {
        return endpoint.isGiven() ? Optional.empty() : Optional.of(name.provider());
    }

    /** True if several machines that compute as one were chosen. */
    public boolean isGroup() {
        return !endpoint.isGiven() && name.count() > 1;
    }

    public RemoteMachine open(MachineOptions options) {
        if (profile != null) {
            options.profile(profile);
        }
        return endpoint.isGiven() ? RemoteMachine.connect(endpoint.endpoint(), options) : name.open(options);
    }
}
