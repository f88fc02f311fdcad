package dev.outpost.client.stats;

import dev.outpost.protocol.message.ToClient;

/**
 * The most that the machine can hold: the bytes of its latest report, and those named since by segments that the
 * report does not cover. Values that are not stored, because nobody may ever want them, are in no report; who asks for
 * them makes them part of the next.
 *
 * <p>Bytes are counted as the session counts them, from its beginning, in the order in which segments are sealed.
 */
public final class MemoryEstimate {
    /** The cost of a value beside its elements; keeps a program from holding millions of tiny ones unnoticed. */
    public static final long OVERHEAD_BYTES = 64;

    /**
     * The bytes that each segment and those before it name, by the number of the segment; at least those not reported
     * yet.
     */
    private long[] named = new long[64];

    private long lastSealed;
    private long lastReported;
    private volatile long sealedBytes;
    private volatile long reportedBytes;
    /** The bytes of the report beyond those named by the segments that it covers. */
    private volatile long surplusBytes;

    /** A segment, or a call of a program, was sealed; numbers are 1, 2, 3, … */
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

    /** The bytes that the machine held when it last said so. */
    public long reportedBytes() {
        return reportedBytes;
    }

    /** At most so much is on the machine once all is executed that has named so many bytes. */
    public long bytes(long namedBytes) {
        return namedBytes + surplusBytes;
    }

    /** How much of what was named is in segments that are still open: no part of it can be freed before they are sealed. */
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
