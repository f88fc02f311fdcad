package dev.outpost.client.record;

import dev.outpost.protocol.message.Message;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Ids of values that the machine need not keep any more, and that it is not told of yet. Only ids of sealed segments are in it, so
 * a free comes after every use. Guarded by the ledger's lock.
 */
final class FreeList {
    private long[] ids = new long[64];
    private int count;

    void add(long id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
    }

    /** Hands all of them on, as many at once as a message takes. */
    void drainTo(Consumer<long[]> taker) {
        for (int from = 0; from < count; from += Message.MAX_FREED) {
            taker.accept(Arrays.copyOfRange(ids, from, Math.min(count, from + Message.MAX_FREED)));
        }
        count = 0;
    }
}
