package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The supplies of a lane: one {@link PayloadSource} after the other. Not thread-safe. */
final class PayloadSources {
    private final ArrayDeque<PayloadSource> waiting = new ArrayDeque<>();
    private @Nullable Payload next;

    void add(PayloadSource payloadSource) {
        waiting.add(payloadSource);
    }

    /** The payload that is next, which stays there until it is {@linkplain #take taken}; null when there is none, or none yet. */
    @Nullable
    Payload peek() {
        while (next == null && !waiting.isEmpty() && waiting.peek().isReady()) {
            next = waiting.peek().next();
            if (next == null) {
                waiting.poll().taken();
            }
        }
        return next;
    }

    @Nullable
    Payload take() {
        Payload taken = peek();
        next = null;
        return taken;
    }

    /** Nothing is taken any more. */
    void end(OutpostException reason) {
        if (next != null) {
            next.body().release();
            next = null;
        }
        waiting.forEach(payloadSource -> payloadSource.ended(reason));
        waiting.clear();
    }
}
