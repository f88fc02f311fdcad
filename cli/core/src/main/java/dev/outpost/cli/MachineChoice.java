package dev.outpost.cli;

import dev.outpost.MachineName;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.support.EndpointOptions;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that choose the machine of a command: a new machine of a provider, or a running one. */
public final class MachineChoice {
    @Option(
            names = "--machine",
            paramLabel = "PROVIDER:GPU",
            defaultValue = "${env:OUTPOST_MACHINE:-mock:A100}",
            converter = Name.class,
            completionCandidates = Usual.class,
            description =
                    "Where to compute; ${DEFAULT-VALUE} unless given. PROVIDER:GPUxN is N of them that compute as one.")
    private MachineName name;

    /** The names that a shell offers: each provider with the GPU that it is used with most. */
    static final class Usual implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("mock:A100", "process:any", "k8s:A100", "outpost:A100")
                    .iterator();
        }
    }

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
        return endpoint.isGiven() ? Optional.empty() : named().map(MachineName.OfProvider::provider);
    }

    private Optional<MachineName.OfProvider> named() {
        return name instanceof MachineName.OfProvider ofProvider ? Optional.of(ofProvider) : Optional.empty();
    }

    /** True if several machines that compute as one were chosen. */
    public boolean isGroup() {
        return !endpoint.isGiven()
                && named().filter(machine -> machine.count() > 1).isPresent();
    }

    public RemoteMachine open(MachineOptions options) {
        if (profile != null) {
            options.profile(profile);
        }
        return endpoint.isGiven()
                ? RemoteMachine.connect(endpoint.endpoint(), options)
                : RemoteMachine.open(name, options);
    }

    /** Reads the name of a machine. */
    static final class Name implements ITypeConverter<MachineName> {
        @Override
        public MachineName convert(String text) {
            try {
                return MachineName.parse(text);
            } catch (IllegalArgumentException failure) {
                throw new TypeConversionException(failure.getMessage());
            }
        }
    }
}
