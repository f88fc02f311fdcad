package dev.outpost.runtime.explain;

import dev.outpost.explain.KernelTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The times of one plan's tasks in its latest timed runs. Thread-safe: an asynchronous engine reports times
 * later.
 */
public final class PlanTimes {
    /** The number of timed runs that are kept. */
    static final int KEPT = 8;

    /** Stands for a time that was never measured. */
    public static final long UNKNOWN = -1;

    /** After the first runs, which are all timed, one of this number of runs is timed. */
    private static final int ONE_IN = 8;

    private final long[] nanos;
    private final boolean[] isTimed;
    private final long[] latest;
    private final int tasks;
    private long runs;
    private int round;

    PlanTimes(int tasks) {
        this.tasks = tasks;
        this.nanos = new long[tasks * KEPT];
        this.isTimed = new boolean[tasks * KEPT];
        this.latest = new long[tasks];
        Arrays.fill(latest, UNKNOWN);
    }

    /** Begins a run. Returns true if it is timed. */
    synchronized boolean begin() {
        runs++;
        boolean isDue = runs <= KEPT || runs % ONE_IN == 0;
        if (isDue) {
            round = (round + 1) % KEPT;
            for (int task = 0; task < tasks; task++) {
                nanos[task * KEPT + round] = 0;
                isTimed[task * KEPT + round] = false;
            }
        }
        return isDue;
    }

    /** Returns the index of the latest timed run among the kept ones. */
    public synchronized int round() {
        return round;
    }

    /**
     * Adds the nanoseconds of a task's kernel, or of the kernels of several tasks that ran as one. The time of such kernels counts for the
     * last task.
     *
     * @param ofRound the value of {@link #round} when the run began
     */
    public synchronized void add(int ofRound, int firstTask, int endTask, long duration) {
        int last = (endTask - 1) * KEPT + ofRound;
        nanos[last] += duration;
        isTimed[last] = true;
        latest[endTask - 1] = nanos[last];
        Arrays.fill(latest, firstTask, endTask - 1, 0);
    }

    /** Returns the nanoseconds that tasks took when they were last timed, or {@link #UNKNOWN} if one never was. */
    public synchronized long latest(int firstTask, int endTask) {
        long sum = 0;
        for (int task = firstTask; task < endTask; task++) {
            if (latest[task] == UNKNOWN) {
                return UNKNOWN;
            }
            sum += latest[task];
        }
        return sum;
    }

    /** Returns the number of runs that have begun, timed or not. */
    synchronized long runs() {
        return runs;
    }

    /** Returns the latest times of a task, oldest first. */
    synchronized KernelTimes of(int task) {
        List<Long> recent = new ArrayList<>(KEPT);
        for (int age = KEPT - 1; age >= 0; age--) {
            int at = task * KEPT + (round + KEPT - age) % KEPT;
            if (isTimed[at]) {
                recent.add(nanos[at]);
            }
        }
        return new KernelTimes(recent);
    }
}
