package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.explain.PlanTimes;
import dev.outpost.runtime.plan.Plan;

/** Looks on as one segment runs; most runs have none. May be told later what ran, by another thread than the worker. */
public final class RunObserver {
    private final Plan plan;
    private final Graph graph;
    private final PlanTimes times;
    private final int round;
    private final EngineTracer tracer;

    private RunObserver(Plan plan, Graph graph, PlanTimes times, EngineTracer tracer) {
        this.plan = plan;
        this.graph = graph;
        this.times = times;
        this.round = times == null ? 0 : times.round();
        this.tracer = tracer;
    }

    /**
     * Null where nobody wants to know.
     *
     * @param times null where this run is not timed
     * @param tracer null where nobody profiles
     */
    public static RunObserver of(Plan plan, Graph graph, PlanTimes times, EngineTracer tracer) {
        return times == null && tracer == null ? null : new RunObserver(plan, graph, times, tracer);
    }

    /** A kernel of a task has run. */
    public void ran(int task, long start, long end) {
        if (times != null) {
            times.add(round, task, end - start);
        }
        trace(task, start, end);
    }

    /** The kernels of some tasks have run as one. */
    public void ranAsOne(int firstTask, int endTask, long start, long end) {
        if (times != null) {
            times.addGroup(round, firstTask, endTask, end - start);
        }
        trace(endTask - 1, start, end);
    }

    private void trace(int task, long start, long end) {
        if (tracer != null) {
            tracer.kernel(plan.tasks().get(task), graph, start, end);
        }
    }
}
