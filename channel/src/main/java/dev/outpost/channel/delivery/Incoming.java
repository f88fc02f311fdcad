package dev.outpost.channel.delivery;

import dev.outpost.types.MalformedException;

/** The receiving half of a lane: counts frames, and recognises those that the peer sent again after a reconnect. Not thread-safe. */
final class Incoming {
    private long received;

    /** Returns the number of the latest frame. */
    long received() {
        return received;
    }

    /**
     * Returns true if a frame is the next one, false if it was received before. Throws MalformedException if frames
     * are missing.
     */
    boolean accept(long number) {
        long next = received + 1;
        if (number > next) {
            throw new MalformedException("frame " + number + " came in place of " + next);
        }
        if (number < next) {
            return false;
        }
        received = number;
        return true;
    }
}
