package dev.outpost.client.record;

import dev.outpost.client.stats.MemoryEstimate;
import dev.outpost.client.stats.SingleWriterCounter;
import dev.outpost.types.TensorType;

/**
 * How many values handles hold, and what those take. Whoever counts has the ledger's lock; whoever only reads needs none.
 */
public final class MemoryAccount {
    /** The most that a value counts for. */
    private static final long MAX_BYTES = 1L << 50;

    /** Of values that outlive the segment, or the call, that computes them; of the open segment, those that still may. */
    private final SingleWriterCounter lastingBytes = new SingleWriterCounter();
    /** The part of it that no handle holds any more. */
    private final SingleWriterCounter forgottenBytes = new SingleWriterCounter();

    private final SingleWriterCounter heldValues = new SingleWriterCounter();
    /**
     * The part of it that the collector has found in segments that are still open: it is freed when they are sealed.
     */
    private final SingleWriterCounter unheldBytes = new SingleWriterCounter();

    // ---- what values take

    static long bytes(TensorType type) {
        return elementBytes(type) + MemoryEstimate.OVERHEAD_BYTES;
    }

    /** No more than several of them can be added up; no machine has as much. */
    private static long elementBytes(TensorType type) {
        return Math.min(type.bytes(), MAX_BYTES);
    }

    public static long bytes(TensorType[] types) {
        long bytes = 0;
        for (TensorType type : types) {
            bytes += bytes(type);
        }
        return bytes;
    }

    /** Whether so many bytes are less than some value of theirs may take. */
    static boolean isCapped(long bytes) {
        return bytes >= MAX_BYTES;
    }

    /** The bytes that a value counts for: next to nothing where it has no elements on the machine. */
    static long countedBytes(RemoteValue value) {
        return value.lost ? MemoryEstimate.OVERHEAD_BYTES : bytes(value.type());
    }

    // ---- counting

    /** There are values more, which take so much. */
    void named(int values, long bytes) {
        lastingBytes.add(bytes);
        heldValues.add(values);
    }

    /**
     * Counts a value that no handle holds any more while the segment that computes it is still open: it will not
     * outlive that.
     */
    void unnamed(long bytes) {
        lastingBytes.add(-bytes);
        heldValues.add(-1);
    }

    /** The collector has found it, and the segment that computes it is still open. */
    void unheld(RemoteValue value) {
        unheldBytes.add(countedBytes(value));
    }

    /** Its segment was sealed. */
    void settled(RemoteValue value) {
        unheldBytes.add(-countedBytes(value));
    }

    /** Counts a value that no handle holds any more. */
    void forgotten(RemoteValue value) {
        forgottenBytes.add(countedBytes(value));
        heldValues.add(-1);
    }

    /** A fault took it: who holds it holds no elements. */
    void lost(RemoteValue value) {
        if (!value.lost) {
            value.lost = true;
            forgottenBytes.add(elementBytes(value.type()));
        }
    }

    /** The machine has so little that it will refuse this value of an open segment. The answer is what counts no more. */
    long refused(RemoteValue value) {
        long before = countedBytes(value);
        value.lost = true;
        long less = before - countedBytes(value);
        lastingBytes.add(-less);
        if (value.holders == 0) {
            unheldBytes.add(-less);
        }
        return less;
    }

    // ---- reading

    long heldValues() {
        return heldValues.get();
    }

    /** All that was named so far and has outlived its segment, or still may. */
    long lastingBytes() {
        return lastingBytes.get();
    }

    long heldBytes() {
        // In this order, so that what is named and forgotten meanwhile makes it no less than it is.
        long forgotten = forgottenBytes.get();
        return lastingBytes.get() - forgotten;
    }

    /** Without what goes when open segments are sealed. */
    long wantedBytes() {
        return heldBytes() - unheldBytes.get();
    }
}
