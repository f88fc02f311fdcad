package dev.outpost.client.stats;

import dev.outpost.protocol.message.ToClient;

/**
 * An upper bound of the bytes that the machine holds: the bytes of its latest report, and the bytes of values that
 * later segments have named. A report does not contain values that are not stored because they may never be needed.
 * If such a value is read later, the next report contains it.
 *
 * <p>Bytes are summed from the beginning of the session, in the order in which segments are sealed.
 */
public final class MemoryEstimate {
    /**
     * The overhead of a value in bytes, in addition to its elements. Because of it, millions of tiny values count.
     */
    public static final long OVERHEAD_BYTES = 64;

    /**
     * For each segment, the bytes that it and the segments before it name. Contains at least the segments that are
     * not reported yet.
     */
    private long[] named = new long[64];

    private long lastSealed;
    private long lastReported;
    private volatile long sealedBytes;
    private volatile long reportedBytes;
    /** The reported bytes, less the bytes named by the segments that the report covers. */
    private volatile long surplusBytes;

    /** Counts a sealed segment or program call; numbers are 1, 2, 3, … */
    public synchronized void sealed(long number, long namedBytes) {
        if (number - lastReported >= named.length) {
            grow();
        }
        sealedBytes += namedBytes;
        named[place(number)] = sealedBytes;
        lastSealed = number;
    }

    public synchronized void reported(ToClient.Progress progress) {
        lastReported = Math.clamp(progress.segments(), lastReported, lastSealed);
        reportedBytes = progress.liveBytes() + OVERHEAD_BYTES * progress.liveValues();
        surplusBytes = reportedBytes - named[place(lastReported)];
    }

    /** Returns the bytes of the machine's latest report. */
    public long reportedBytes() {
        return reportedBytes;
    }

    /**
     * Returns an upper bound of the bytes on the machine after it has executed all recorded work. This work has named {@code namedBytes} in
     * total.
     */
    public long bytes(long namedBytes) {
        return namedBytes + surplusBytes;
    }

    /**
     * Returns the named bytes of segments that are still open. They cannot be freed before these segments are sealed.
     */
    public long openBytes(long namedBytes) {
        return namedBytes - sealedBytes;
    }

    private void grow() {
        long[] larger = new long[2 * named.length];
        for (long number = lastReported; number <= lastSealed; number++) {
            larger[(int) (number & larger.length - 1)] = named[place(number)];
        }
        named = larger;
    }

    private int place(long number) {
        return (int) (number & named.length - 1);
    }
}
