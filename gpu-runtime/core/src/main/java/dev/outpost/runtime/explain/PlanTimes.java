package dev.outpost.runtime.explain;

import dev.outpost.protocol.explain.KernelTimes;
import java.util.ArrayList;
import java.util.List;

/** How long the tasks of one plan took in its latest timed runs. Used by one thread. */
public final class PlanTimes {
    /** How many timed runs are kept. */
    static final int KEPT = 8;

    /** The first runs are all timed, so that whoever asks early is told; then one in this many. */
    private static final int ONE_IN = 8;

    private final long[] nanos;
    private final boolean[] isTimed;
    private final int tasks;
    private long runs;
    private int round;

    PlanTimes(int tasks) {
        this.tasks = tasks;
        this.nanos = new long[tasks * KEPT];
        this.isTimed = new boolean[tasks * KEPT];
    }

    /** Another run begins; the answer is whether it is to be timed. */
    boolean begin() {
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

    /** A task's kernel took so long, or one of several that stood in for it. */
    public void add(int task, long duration) {
        nanos[task * KEPT + round] += duration;
        isTimed[task * KEPT + round] = true;
    }

    /** How many runs have begun, timed or not. */
    long runs() {
        return runs;
    }

    /** The latest times of a task, oldest first. */
    KernelTimes of(int task) {
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
