package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The operations of a provider on machines that are not tied to this program: they are found again by their ids. */
public interface MachineKeeper {
    /**
     * Starts a machine that lives for a stated time, with or without a client.
     *
     * @param life after which it ends by itself
     * @param progress as of {@link GpuProvider#provision}
     * @return the id by which it is found again
     */
    Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress);

    /**
     * Reaches a machine that {@link #start} has started. Releasing the lease lets go of it and leaves it running.
     *
     * @return the machine, or a failure that says that there is none of that id, or that it has ended
     */
    Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress);

    /** The machines there are, those that have ended and were not removed yet among them; oldest first. */
    Uni<List<MachineSummary>> list();

    /**
     * The lines of a machine's log, from the first on.
     *
     * @param follow whether those to come as well, until it ends or the subscription is cancelled
     */
    Multi<String> logs(String id, boolean follow);

    /** Gives somebody else access to a machine, as {@link Lease#share} does. */
    default Uni<SharedAccess> share(String id, GrantTerms terms) {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException(
                        "share: the provider of machine " + id + " gives nobody else access; a backend does"));
    }

    /** Ends a machine and removes what belongs to it; stopping one that has ended removes what is left. */
    Uni<Void> stop(String id);

    /** Removes what is left of machines that have ended. Emits a line for each thing removed. */
    Uni<List<String>> sweep();
}
