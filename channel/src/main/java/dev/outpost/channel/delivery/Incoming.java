package dev.outpost.channel.delivery;

import dev.outpost.types.MalformedException;

/** The receiving half of a lane: counts what came and recognises what a reconnect sent again. Not thread-safe. */
final class Incoming {
    private long received;

    /** The number of the latest frame. */
    long received() {
        return received;
    }

    /** Whether a frame is the next one; false for a frame that came before. A gap is malformed. */
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
