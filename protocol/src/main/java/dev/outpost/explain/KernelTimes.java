package dev.outpost.explain;

import java.util.Arrays;
import java.util.List;

/**
 * How long one kernel took. Not every run of a plan is timed: the first ones are, and then one in a few.
 *
 * @param recentNanos the latest timed runs in nanoseconds, oldest first
 */
public record KernelTimes(List<Long> recentNanos) {
    public KernelTimes {
        recentNanos = List.copyOf(recentNanos);
    }

    /** Whether any run was timed. */
    public boolean isKnown() {
        return !recentNanos.isEmpty();
    }

    /** The latest timed run, in nanoseconds; 0 where none was. */
    public long lastNanos() {
        return isKnown() ? recentNanos.getLast() : 0;
    }

    /** The median of the latest timed runs, in nanoseconds, the upper one of two; 0 where none was timed. */
    public long medianNanos() {
        long[] sorted = recentNanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return isKnown() ? sorted[sorted.length / 2] : 0;
    }
}
