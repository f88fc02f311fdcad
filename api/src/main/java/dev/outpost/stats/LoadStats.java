package dev.outpost.stats;

/**
 * How far the loads of a session are.
 *
 * @param loads how many tensors it has asked for
 * @param done how many of them are there, or failed
 * @param bytes what was read from sources for them; what was in memory already is not read
 * @param nanos in how much time something was being read
 */
public record LoadStats(long loads, long done, long bytes, long nanos) {

    /** Bytes per second; 0 before anything was read. */
    public double rate() {
        return nanos == 0 ? 0 : bytes * 1e9 / nanos;
    }
}
