package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ToRuntime;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When messages came, from the first on that asks for it. As many times wait here as messages in the queue. */
final class ArrivalTimes {
    private final ToRuntime.InTurn first;
    private final ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
    private boolean reached;

    ArrivalTimes(ToRuntime.InTurn first) {
        this.first = first;
    }

    /** Called before the message is in the queue, by one thread at a time. */
    void add(long nanos) {
        times.add(nanos);
    }

    /** When a message came that was just taken out of the queue, in its turn; {@code otherwise} where that was not noted. */
    long of(ToRuntime.InTurn taken, long otherwise) {
        reached = reached || taken == first;
        Long noted = reached ? times.poll() : null;
        return noted == null ? otherwise : noted;
    }
}
