package dev.outpost.provider;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Consumer;

/** Starts several machines together: all of them, or none. Safe for use by many threads. */
public interface GroupProvider {
    /**
     * Refuses what can be refused without a network.
     *
     * @throws IllegalArgumentException when it refuses; the message names the option and the value
     */
    void validate(GroupSpec spec);

    /**
     * Starts the machines, when the result is subscribed to. Cancelling the subscription gives back whatever has been started, as that of
     * {@link GpuProvider#provision} does. The machines go when all of them were released.
     *
     * @param progress hears of every step, {@code READY} last; called by one thread at a time, and must not block
     * @return the machines by rank, or a failure whose message names the remedy
     */
    Uni<List<Lease>> provision(GroupSpec spec, Consumer<ProvisioningStep> progress);
}
