package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import java.util.ArrayDeque;
import java.util.List;

/** The sending half of a lane: numbers payloads and keeps them until they are acknowledged. Not thread-safe. */
final class Outgoing {

    /** A payload that the other side may not have yet. */
    record Pending(long number, Payload payload, long sentAtNanos) {}

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long lastNumber;
    private long pendingBytes;

    Pending add(Payload payload, long nowNanos) {
        Pending added = new Pending(++lastNumber, payload, nowNanos);
        pending.add(added);
        pendingBytes += payload.length();
        return added;
    }

    /** Forgets all up to a number; the answer is the last one that was forgotten, or null. */
    Pending acknowledge(long number) {
        Pending last = null;
        while (!pending.isEmpty() && pending.peek().number <= number) {
            last = pending.poll();
            forget(last);
        }
        return last;
    }

    /** Forgets all: nothing is sent any more. */
    void clear() {
        pending.forEach(this::forget);
        pending.clear();
    }

    private void forget(Pending sent) {
        pendingBytes -= sent.payload.length();
        sent.payload.body().release();
    }

    /** Whether a payload keeps to the window; the first is never too large, and there are never too many to hold early. */
    boolean hasRoom(int payloadBytes, long windowBytes) {
        return pending.isEmpty() || pendingBytes + payloadBytes <= windowBytes && pending.size() < Incoming.MAX_AHEAD;
    }

    long lastNumber() {
        return lastNumber;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    Pending oldest() {
        return pending.peek();
    }

    List<Pending> pending() {
        return List.copyOf(pending);
    }
}
