package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import io.smallrye.mutiny.Uni;

/** A machine that was handed out, until it is released or lost. */
public interface Lease {
    /** The provider's name for this machine; unique among its machines. */
    String id();

    Endpoint endpoint();

    /**
     * Emits how the machine went away, once, when it did so without being released; a machine that was released never
     * emits. Whoever subscribes late learns it too.
     */
    Uni<MachineLoss> lost();

    /**
     * Whether the provider watches over the machine and may have something to say when it is gone. Where it does not,
     * {@link #lost} never emits, and nobody waits for its word.
     */
    default boolean isWatched() {
        return true;
    }

    /**
     * Gives somebody else access to the machine, beside this program. Where the machine is shared, the terms name a part of its memory.
     *
     * @return what that person connects with; a failure says why there is none
     */
    default Uni<SharedAccess> share(GrantTerms terms) {
        return Uni.createFrom().failure(() -> noSharing("share"));
    }

    /** Takes an access back: its token opens nothing any more, and its sessions end. */
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
