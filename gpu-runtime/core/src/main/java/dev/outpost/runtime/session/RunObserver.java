package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.explain.PlanTimes;
import dev.outpost.runtime.plan.Plan;

/** Looks on as one segment runs. Used by the session's worker alone; most runs have none. */
final class RunObserver {
    private final Plan plan;
    private final Graph graph;
    private final PlanTimes times;
    private final Tracer tracer;
    private int place;

    private RunObserver(Plan plan, Graph graph, PlanTimes times, Tracer tracer) {
        this.plan = plan;
        this.graph = graph;
        this.times = times;
        this.tracer = tracer;
    }

    /**
     * Null where nobody wants to know.
     *
     * @param times null where this run is not timed
     * @param tracer null where nobody profiles
     */
    static RunObserver of(Plan plan, Graph graph, PlanTimes times, Tracer tracer) {
        return times == null && tracer == null ? null : new RunObserver(plan, graph, times, tracer);
    }

    /** A task of the plan comes next. */
    void begins(int task) {
        place = task;
    }

    /** A kernel of the task has run. */
    void ran(long start, long end) {
        if (times != null) {
            times.add(place, end - start);
        }
        if (tracer != null) {
            tracer.kernel(plan.tasks().get(place), graph, start, end);
        }
    }
}
