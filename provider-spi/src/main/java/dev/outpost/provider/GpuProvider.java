package dev.outpost.provider;

import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.Consumer;

/** A supplier of machines with GPUs. Found by {@link java.util.ServiceLoader}; must be safe for use by many threads. */
public interface GpuProvider {
    /** The name that users write, such as {@code k8s}; lower case. */
    String name();

    /**
     * Refuses what can be refused without a network: an option that this provider does not have, a value that it cannot
     * take.
     *
     * @throws IllegalArgumentException when it refuses; the message names the option and the value
     */
    void validate(MachineSpec spec);

    /**
     * Starts a machine, when the result is subscribed to. Cancelling the subscription gives back whatever has been
     * started, and returns when that is done, or sure to be done by somebody else: the JVM may end right after it.
     *
     * @param progress hears of every step, {@code READY} last; called by one thread at a time, and must not block
     * @return the machine, or a failure whose message names the remedy
     */
    Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress);

    /** The machines that live without a client, where this provider has such. */
    default Optional<MachineKeeper> keeper() {
        return Optional.empty();
    }

    /** Starts several machines together, where this provider can; else each machine of a group is started by itself. */
    default Optional<GroupProvider> groups() {
        return Optional.empty();
    }
}
