package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The operations of a provider on machines that are not tied to this program. A machine is found again by its id. */
public interface MachineKeeper {
    /**
     * Starts a machine that lives for a stated time, with or without a client.
     *
     * @param life the time after which the machine ends by itself
     * @param progress receives the steps, as in {@link GpuProvider#provision}
     * @return the id by which it is found again
     */
    Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress);

    /**
     * Reaches a machine that {@link #start} has started. Releasing the lease disconnects and leaves the machine running.
     *
     * @return the machine, or a failure if no machine has that id or it has ended
     */
    Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress);

    /** Emits all machines, oldest first. The list includes those that have ended and were not removed yet. */
    Uni<List<MachineSummary>> list();

    /**
     * Emits the lines of a machine's log, from the first one on.
     *
     * @param follow true to also emit later lines, until the machine ends or the subscription is cancelled
     */
    Multi<String> logs(String id, boolean follow);

    /** Gives another person access to a machine, as {@link Lease#share} does. */
    default Uni<SharedAccess> share(String id, GrantTerms terms) {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException(
                        "share: the provider of machine " + id + " cannot share it; a backend can"));
    }

    /** Ends a machine and removes its resources. If the machine has ended already, only removes its resources. */
    Uni<Void> stop(String id);

    /** Removes the remains of machines that have ended. Emits a line for each removed object. */
    Uni<List<String>> sweep();
}
