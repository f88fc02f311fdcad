package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import io.smallrye.mutiny.Uni;

/** A machine that was handed out, until it is released or lost. */
public interface Lease {
    /** The provider's name for this machine; unique among its machines. */
    String id();

    Endpoint endpoint();

    /**
     * Emits the reason if the machine is lost without being released. Emits at most once, also to late subscribers; never emits for a
     * machine that was released.
     */
    Uni<MachineLoss> lost();

    /**
     * Returns true if the provider monitors the machine and may report its loss. If false, {@link #lost} never emits, and callers do
     * not wait for it.
     */
    default boolean isWatched() {
        return true;
    }

    /**
     * Gives another person access to the machine, beside this program. On a shared machine, the terms limit the memory that the person
     * may use.
     *
     * @return the address and token for that person; a failure says why there is none
     */
    default Uni<SharedAccess> share(GrantTerms terms) {
        return Uni.createFrom().failure(() -> noSharing("share"));
    }

    /** Takes an access back: its token is no longer accepted, and its sessions end. */
    default Uni<Void> unshare(SharedAccess access) {
        return Uni.createFrom().failure(() -> noSharing("unshare"));
    }

    /**
     * Makes a program callable by HTTP, on machines that come and go as it is called. It outlives this machine.
     *
     * @return a failure says why it is not published
     */
    default Uni<Void> publish(ProgramPackage program) {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException("publish: the provider of machine " + id()
                        + " publishes no programs; a backend does: RemoteMachine.of(\"outpost\", ...)"));
    }

    private IllegalStateException noSharing(String call) {
        return new IllegalStateException(call + ": the provider of machine " + id()
                + " gives nobody else access; machines of a backend can be shared: RemoteMachine.of(\"outpost\", ...)");
    }

    /** Gives the machine back. Releasing again, or after a loss, succeeds and does nothing. */
    Uni<Void> release();
}
