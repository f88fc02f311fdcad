package dev.outpost.stats;

/**
 * The progress of a session's loads.
 *
 * @param loads the number of requested tensors
 * @param done the number of loads that are complete or have failed
 * @param bytes the bytes that were read from sources for them; tensors that were in memory already are not read
 * @param nanos the time in which something was being read, in nanoseconds
 */
public record LoadStats(long loads, long done, long bytes, long nanos) {

    /** Returns the bytes per second; 0 before anything was read. */
    public double rate() {
        return nanos == 0 ? 0 : bytes * 1e9 / nanos;
    }
}
