package dev.outpost.bench;

/**
 * How long something runs before it is timed.
 *
 * @param repetitions at least so often
 * @param seconds and at least so long
 */
record WarmUp(int repetitions, double seconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    boolean isOver(int repetitionsSoFar, long nanosSoFar) {
        return repetitionsSoFar >= repetitions && nanosSoFar >= seconds * NANOS_PER_SECOND;
    }
}
