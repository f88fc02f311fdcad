package dev.outpost.provider;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Consumer;

/** Starts several machines together: all of them, or none. Thread-safe. */
public interface GroupProvider {
    /**
     * Refuses an invalid specification without asking the network.
     *
     * @throws IllegalArgumentException if the specification is invalid; the message names the option and the value
     */
    void validate(GroupSpec spec);

    /**
     * Starts the machines when the result is subscribed to. Cancelling the subscription releases everything that was
     * started, as in {@link GpuProvider#provision}. The machines end when all of them are released.
     *
     * @param progress receives every step, {@code READY} last; called by one thread at a time, and must not block
     * @return the machines by rank, or a failure whose message names the remedy
     */
    Uni<List<Lease>> provision(GroupSpec spec, Consumer<ProvisioningStep> progress);
}
