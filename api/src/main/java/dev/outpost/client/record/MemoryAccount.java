package dev.outpost.client.record;

import dev.outpost.client.stats.MemoryEstimate;
import dev.outpost.client.stats.SingleWriterCounter;
import dev.outpost.types.TensorType;

/** Counts the values that handles hold, and their bytes. A caller that counts must have the ledger's lock; reading needs no lock. */
public final class MemoryAccount {
    /** The maximum bytes that are counted for one value. */
    private static final long MAX_BYTES = 1L << 50;

    /**
     * The bytes of values that outlive the segment or the call that computes them, and of values of open segments
     * that may still outlive them.
     */
    private final SingleWriterCounter lastingBytes = new SingleWriterCounter();
    /** The part of {@link #lastingBytes} that no handle holds. */
    private final SingleWriterCounter forgottenBytes = new SingleWriterCounter();

    private final SingleWriterCounter heldValues = new SingleWriterCounter();
    /**
     * The part of {@link #lastingBytes} whose handles the collector has freed while the segment is still open. These values are freed when
     * it is sealed.
     */
    private final SingleWriterCounter unheldBytes = new SingleWriterCounter();

    // ---- the bytes of values

    static long bytes(TensorType type) {
        return elementBytes(type) + MemoryEstimate.OVERHEAD_BYTES;
    }

    /** Returns the bytes of the elements, limited so that a sum of several values does not overflow. No machine has as much memory. */
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

    /**
     * Returns true if this sum of bytes may be too low, because the bytes of one value are counted only up to {@link #MAX_BYTES}.
     */
    static boolean isCapped(long bytes) {
        return bytes >= MAX_BYTES;
    }

    /** Returns the bytes that a value counts for; only the overhead if the machine has no elements of it. */
    static long countedBytes(RemoteValue value) {
        return value.lost ? MemoryEstimate.OVERHEAD_BYTES : bytes(value.type());
    }

    // ---- counting

    /** Counts new values and their bytes. */
    void named(int values, long bytes) {
        lastingBytes.add(bytes);
        heldValues.add(values);
    }

    /** Stops counting a value of an open segment that no handle holds. The value does not outlive the segment. */
    void unnamed(long bytes) {
        lastingBytes.add(-bytes);
        heldValues.add(-1);
    }

    /** Counts a value whose last handle the collector has freed while its segment is still open. */
    void unheld(RemoteValue value) {
        unheldBytes.add(countedBytes(value));
    }

    /** Counts a value of {@link #unheld} whose segment was sealed. */
    void settled(RemoteValue value) {
        unheldBytes.add(-countedBytes(value));
    }

    /** Counts a value that no handle holds. */
    void forgotten(RemoteValue value) {
        forgottenBytes.add(countedBytes(value));
        heldValues.add(-1);
    }

    /** Stops counting the elements of a value that was lost by a fault. Its handles may stay open. */
    void lost(RemoteValue value) {
        if (!value.lost) {
            value.lost = true;
            forgottenBytes.add(elementBytes(value.type()));
        }
    }

    /**
     * Stops counting the elements of a value of an open segment that is too large for the machine. Returns the bytes that count no more.
     */
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

    /**
     * Returns the bytes of all values so far that have outlived their segment or may still outlive it, including
     * freed values.
     */
    long lastingBytes() {
        return lastingBytes.get();
    }

    long heldBytes() {
        // The order of these reads matters: values that are named and forgotten between them must not make the result
        // too small.
        long forgotten = forgottenBytes.get();
        return lastingBytes.get() - forgotten;
    }

    /** Returns the held bytes without the values that are freed when open segments are sealed. */
    long wantedBytes() {
        return heldBytes() - unheldBytes.get();
    }
}
