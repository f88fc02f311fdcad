package dev.outpost.runtime.session;

import dev.outpost.runtime.explain.PlanTimes;

/** Looks on as one segment runs. Used by the session's worker alone; most runs have none. */
final class RunObserver {
    private final PlanTimes times;
    private int place;

    RunObserver(PlanTimes times) {
        this.times = times;
    }

    /** A task of the plan comes next. */
    void begins(int task) {
        place = task;
    }

    /** A kernel of the task has run. */
    void ran(long start, long end) {
        times.add(place, end - start);
    }
}
