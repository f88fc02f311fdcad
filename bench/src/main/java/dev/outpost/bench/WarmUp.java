package dev.outpost.bench;

/**
 * The length of a warm-up before the timed runs.
 *
 * @param repetitions the least number of repetitions
 * @param seconds the least time
 */
record WarmUp(int repetitions, double seconds) {
    private static final double NANOS_PER_SECOND = 1e9;

    boolean isOver(int repetitionsSoFar, long nanosSoFar) {
        return repetitionsSoFar >= repetitions && nanosSoFar >= seconds * NANOS_PER_SECOND;
    }
}
