package dev.outpost.explain;

import java.util.Arrays;
import java.util.List;

/**
 * The run times of one kernel. The first runs of a plan are all timed, later only some of them.
 *
 * @param recentNanos the latest timed runs in nanoseconds, oldest first
 */
public record KernelTimes(List<Long> recentNanos) {
    public KernelTimes {
        recentNanos = List.copyOf(recentNanos);
    }

    /** Returns true if any run was timed. */
    public boolean isKnown() {
        return !recentNanos.isEmpty();
    }

    /** Returns the latest timed run, in nanoseconds; 0 if none was timed. */
    public long lastNanos() {
        return isKnown() ? recentNanos.getLast() : 0;
    }

    /**
     * Returns the median of the latest timed runs, in nanoseconds; of an even number, the upper of the two middle
     * ones. 0 if none was timed.
     */
    public long medianNanos() {
        long[] sorted = recentNanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return isKnown() ? sorted[sorted.length / 2] : 0;
    }
}
