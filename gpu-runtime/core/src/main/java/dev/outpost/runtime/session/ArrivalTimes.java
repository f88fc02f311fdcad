package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ToRuntime;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Arrival times of queued messages, noted from the first trace request on. Holds one time for each message in the
 * queue.
 */
final class ArrivalTimes {
    private final ToRuntime.InTurn first;
    private final ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
    private boolean reached;

    ArrivalTimes(ToRuntime.InTurn first) {
        this.first = first;
    }

    /** Records the time at which a message arrived. Called before the message enters the queue, by one thread at a time. */
    void add(long nanos) {
        times.add(nanos);
    }

    /**
     * Returns the arrival time of a message that was just taken out of the queue, or the time {@code otherwise} if no
     * time was noted. Called for each message in order.
     */
    long of(ToRuntime.InTurn taken, long otherwise) {
        reached = reached || taken == first;
        Long noted = reached ? times.poll() : null;
        return noted == null ? otherwise : noted;
    }
}
