package dev.outpost.transport;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Provides a machine that is already running: {@code OUTPOST_ENDPOINT} is its address, {@code OUTPOST_TOKEN} its connection token. The
 * client starts nothing, and ends only its own session.
 */
public final class EndpointProvider implements GpuProvider {
    /** The environment variable with the address, in the form that {@link EndpointAddress} reads. */
    public static final String ENDPOINT_VARIABLE = "OUTPOST_ENDPOINT";

    /** The environment variable with the connection token. */
    public static final String TOKEN_VARIABLE = "OUTPOST_TOKEN";

    private final Supplier<Endpoint> endpoint;

    /** Uses the machine that the environment names. */
    public EndpointProvider() {
        this(EndpointProvider::ofEnvironment);
    }

    /** Uses the machine of this endpoint. */
    public EndpointProvider(Endpoint endpoint) {
        this(() -> endpoint);
    }

    private EndpointProvider(Supplier<Endpoint> endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public String name() {
        return "endpoint";
    }

    @Override
    public void validate(MachineSpec spec) {
        if (!spec.gpu().isAny()) {
            throw new IllegalArgumentException(
                    "gpu: the machine at an endpoint is what it is, so ask for \"any\", got \""
                            + spec.gpu().name() + "\"");
        }
        if (!spec.options().isEmpty()) {
            throw new IllegalArgumentException(
                    "options: provider endpoint has none, got " + spec.options().keySet());
        }
        endpoint.get();
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> {
            Endpoint found = endpoint.get();
            progress.accept(
                    new ProvisioningStep(MachinePhase.READY, "the machine is at " + address(found), Duration.ZERO));
            return new Borrowed(name() + "-" + UUID.randomUUID(), found);
        });
    }

    private static String address(Endpoint endpoint) {
        return endpoint instanceof Endpoint.InProcess
                ? "this process"
                : Transports.channels(endpoint).name();
    }

    private static Endpoint ofEnvironment() {
        String address = variable(ENDPOINT_VARIABLE)
                .orElseThrow(() -> new IllegalArgumentException("endpoint: set " + ENDPOINT_VARIABLE
                        + " to the host:port of a machine and " + TOKEN_VARIABLE + " to its connection token"));
        return ofEnvironment(address);
    }

    /** Returns the endpoint at an address, with the token and the authority that the environment names. */
    public static Endpoint ofEnvironment(String address) {
        return EndpointAddress.parse(
                address,
                variable(TOKEN_VARIABLE).orElse(null),
                variable(EndpointAddress.AUTHORITY_VARIABLE).map(Path::of).orElse(null));
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    /** A machine that this client must not end. */
    private record Borrowed(String id, Endpoint endpoint) implements Lease {
        @Override
        public boolean isWatched() {
            return false;
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().nothing();
        }

        @Override
        public Uni<Void> release() {
            return Uni.createFrom().voidItem();
        }
    }
}
