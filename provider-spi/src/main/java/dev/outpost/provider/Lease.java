package dev.outpost.provider;

import io.smallrye.mutiny.Uni;

/** A machine that was handed out, until it is released or lost. */
public interface Lease {
    /** What the provider calls this machine; unique among its machines. */
    String id();

    Endpoint endpoint();

    /**
     * Emits how the machine went away, once, when it did so without being released; a machine that was released never
     * emits. Whoever subscribes late learns it too.
     */
    Uni<Loss> lost();

    /**
     * Whether the provider watches over the machine and may have something to say when it is gone. Where it does not,
     * {@link #lost} never emits, and nobody waits for its word.
     */
    default boolean isWatched() {
        return true;
    }

    /** Gives the machine back. Releasing again, or after a loss, succeeds and does nothing. */
    Uni<Void> release();
}
