package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The sources of a lane, used one after the other. Not thread-safe. */
final class PayloadSources {
    private final ArrayDeque<PayloadSource> waiting = new ArrayDeque<>();
    private @Nullable Payload next;

    void add(PayloadSource payloadSource) {
        waiting.add(payloadSource);
    }

    /** Returns the next payload, which stays until it is {@linkplain #take taken}; null if no payload is left or ready. */
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

    /** Ends all sources. No more payloads are taken. */
    void end(OutpostException reason) {
        if (next != null) {
            next.body().release();
            next = null;
        }
        waiting.forEach(payloadSource -> payloadSource.ended(reason));
        waiting.clear();
    }
}
