package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.fault.MalformedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The receiving half of a lane: drops repeats, holds what came early, hands out what is next. Not thread-safe. */
final class Incoming {
    /** How far ahead of the next frame another may come; a sender that keeps to its window never gets there. */
    static final int MAX_AHEAD = 1 << 16;

    private final Map<Long, Bytes> early = new HashMap<>();
    private final long maxEarlyBytes;
    private long earlyBytes;
    private long received;

    Incoming(long maxEarlyBytes) {
        this.maxEarlyBytes = maxEarlyBytes;
    }

    /** The last frame before which nothing is missing. */
    long received() {
        return received;
    }

    /** Takes a frame in and answers with what can be delivered now, in order. */
    List<Bytes> accept(long number, Bytes payload) {
        if (number <= received || early.containsKey(number)) {
            return List.of();
        }
        if (number == received + 1) {
            return deliverFrom(payload);
        }
        hold(number, payload);
        return List.of();
    }

    private List<Bytes> deliverFrom(Bytes payload) {
        received++;
        if (early.isEmpty()) {
            return List.of(payload);
        }
        List<Bytes> ready = new ArrayList<>();
        ready.add(payload);
        for (Bytes next = early.remove(received + 1); next != null; next = early.remove(received + 1)) {
            ready.add(next);
            earlyBytes -= next.length();
            received++;
        }
        return ready;
    }

    private void hold(long number, Bytes payload) {
        if (number > received + MAX_AHEAD || earlyBytes + payload.length() > maxEarlyBytes) {
            throw new MalformedException("frame " + number + " is too far ahead of " + (received + 1));
        }
        // What is handed in is only lent.
        early.put(number, new Slice(payload.toByteArray()));
        earlyBytes += payload.length();
    }
}
