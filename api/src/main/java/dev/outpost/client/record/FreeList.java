package dev.outpost.client.record;

import dev.outpost.protocol.message.Message;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The ids of values that the program has released, until a message tells the machine to free them. The list has only
 * ids of sealed segments, so a value is freed after all of its uses. Guarded by the ledger's lock.
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

    /** Passes all ids to {@code taker}, in arrays that fit into one message each, and empties the list. */
    void drainTo(Consumer<long[]> taker) {
        for (int from = 0; from < count; from += Message.MAX_FREED) {
            taker.accept(Arrays.copyOfRange(ids, from, Math.min(count, from + Message.MAX_FREED)));
        }
        count = 0;
    }
}
