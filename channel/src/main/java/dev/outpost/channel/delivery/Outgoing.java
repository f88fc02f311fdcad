package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import java.util.ArrayDeque;
import java.util.List;

/** The sending half of a lane: numbers payloads and keeps them until they are acknowledged. Not thread-safe. */
final class Outgoing {

    /** A payload that the other side may not have yet. */
    record Pending(long number, Payload payload) {}

    /** The maximum number of unacknowledged payloads, independent of their size. */
    static final int MAX_FRAMES = 1 << 16;

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long lastNumber;
    private long pendingBytes;

    Pending add(Payload payload) {
        Pending added = new Pending(++lastNumber, payload);
        pending.add(added);
        pendingBytes += payload.length();
        return added;
    }

    /** Forgets all payloads up to a number. */
    void acknowledge(long number) {
        while (!pending.isEmpty() && pending.peek().number <= number) {
            forget(pending.poll());
        }
    }

    /** Forgets all payloads, because this side sends nothing more. */
    void clear() {
        pending.forEach(this::forget);
        pending.clear();
    }

    private void forget(Pending sent) {
        pendingBytes -= sent.payload.length();
        sent.payload.body().release();
    }

    /** Returns true if a payload fits into the window. The first payload always fits. */
    boolean hasRoom(int payloadBytes, long windowBytes) {
        return pending.isEmpty() || pendingBytes + payloadBytes <= windowBytes && pending.size() < MAX_FRAMES;
    }

    long lastNumber() {
        return lastNumber;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    List<Pending> pending() {
        return List.copyOf(pending);
    }
}
