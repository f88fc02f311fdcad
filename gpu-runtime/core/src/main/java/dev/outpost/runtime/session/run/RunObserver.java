package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.explain.PlanTimes;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import java.util.function.ObjLongConsumer;

/**
 * Observes one run: times its tasks, traces its kernels for a client that profiles, and reports its instructions to open watches.
 * Thread-safe: on an asynchronous engine, another thread reports the launches after they have run.
 */
final class RunObserver {
    /** The observer of runs that need none. */
    static final RunObserver NONE = new RunObserver(null, null, null, null, null);

    private final Plan plan;
    private final Graph graph;
    private final PlanTimes times;
    private final int round;
    private final EngineTracer tracer;
    private final ObjLongConsumer<Instruction> watcher;

    private RunObserver(
            Plan plan, Graph graph, PlanTimes times, EngineTracer tracer, ObjLongConsumer<Instruction> watcher) {
        this.plan = plan;
        this.graph = graph;
        this.times = times;
        this.round = times == null ? 0 : times.round();
        this.tracer = tracer;
        this.watcher = watcher;
    }

    /**
     * @param times null if this run is not timed
     * @param tracer null if the client does not profile
     * @param watcher receives each instruction that did not fail, with the nanoseconds of its kernel; null if no watch
     * is open
     */
    static RunObserver of(
            Plan plan, Graph graph, PlanTimes times, EngineTracer tracer, ObjLongConsumer<Instruction> watcher) {
        boolean isNeeded = times != null || tracer != null || watcher != null;
        return isNeeded ? new RunObserver(plan, graph, times, tracer, watcher) : NONE;
    }

    boolean isNeeded() {
        return plan != null;
    }

    /**
     * Records that the kernels of some tasks have run together. Their time counts for the last instruction.
     *
     * @param alone the only instruction that ran; null if all instructions of the tasks ran
     */
    void ran(int firstTask, int endTask, Instruction alone, long start, long end) {
        if (times != null) {
            times.add(round, firstTask, endTask, end - start);
        }
        if (tracer != null) {
            tracer.kernel(plan.tasks().get(endTask - 1), graph, start, end);
        }
        if (alone != null) {
            ranAlone(alone, end - start);
        } else if (watcher != null) {
            for (int task = firstTask; task < endTask; task++) {
                ran(plan.tasks().get(task), task == endTask - 1 ? end - start : 0);
            }
        }
    }

    private void ran(Task task, long nanos) {
        int last = task.instructions().length - 1;
        for (int place = 0; place <= last; place++) {
            ranAlone(graph.instructions().get(task.instructions()[place]), place == last ? nanos : 0);
        }
    }

    /** Records an instruction that ran without a kernel of the engine. */
    void ranAlone(Instruction instruction, long nanos) {
        if (watcher != null) {
            watcher.accept(instruction, nanos);
        }
    }

    /** Records that an exchange with other members has ended. */
    void exchanged(Task task, long start, long end) {
        if (tracer != null) {
            tracer.kernel(task, graph, start, end);
        }
    }
}
