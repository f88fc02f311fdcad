package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.ExplanationData;
import dev.outpost.runtime.explain.ExplainableRun;
import dev.outpost.runtime.explain.PlanTimes;
import dev.outpost.runtime.explain.RecentRuns;
import dev.outpost.runtime.explain.TimedPlans;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.session.context.RunObservers;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/**
 * Keeps records of a session's runs: how values were computed, how long that took, and the trace for a client that
 * profiles.
 */
public final class ExplainLog {
    private final SessionContext context;
    private final RecentRuns recent = new RecentRuns();
    private final TimedPlans times = new TimedPlans();
    /** The trace; null until the client requests one. */
    private EngineTracer tracer;

    public ExplainLog(SessionContext context) {
        this.context = context;
    }

    // ---- called while segments run

    /** @param isListed true to log each instruction; false for programs, because they run often */
    void log(String what, Graph graph, boolean isListed) {
        InstructionLog log = context.log();
        if (log == null) {
            return;
        }
        log.event("RUN", what, 0, graph.instructions().size() + " instructions");
        if (isListed) {
            graph.instructions().forEach(instruction -> log.event("RUN", "Instruction", 0, instruction.toString()));
        }
    }

    /** Remembers the run of a segment. */
    void add(ExplainableRun run) {
        recent.add(run);
    }

    /** Begins a run of the plan. Some of the runs are timed. */
    RunObserver observe(Plan plan, Graph graph) {
        return observer(plan, graph, times.begin(plan));
    }

    /** Begins a run that is not timed. */
    RunObserver observeUntimed(Plan plan, Graph graph) {
        return observer(plan, graph, null);
    }

    private RunObserver observer(Plan plan, Graph graph, PlanTimes timed) {
        RunObservers observers = context.runtime().observers();
        ObjLongConsumer<Instruction> watcher = observers.isAnyOpen()
                ? (instruction, nanos) -> observers.note(context.session(), instruction, nanos)
                : null;
        return RunObserver.of(plan, graph, timed, tracer, watcher);
    }

    /** Returns how long the tasks of a plan took; null if they were never timed. */
    PlanTimes times(Plan plan) {
        return times.of(plan);
    }

    // ---- called for the client

    /** Returns how a value was computed; empty if the session no longer knows it. */
    public Optional<ExplanationData> explain(long value) {
        return recent.explain(value, times);
    }

    /** Returns how the latest run of a program was computed; empty if it has not run. */
    public Optional<ExplanationData> explain(LoadedProgram program) {
        return Optional.ofNullable(program.latestRun()).map(run -> run.explain(times));
    }

    /** Returns the latest instructions as text without values. Thread-safe. */
    public List<String> instructions(int max) {
        return recent.text(max);
    }

    public boolean isTraced() {
        return tracer != null;
    }

    /** Returns the trace of the session. Tracing begins with the first call. */
    public EngineTracer trace() {
        tracer = tracer == null ? new EngineTracer() : tracer;
        return tracer;
    }

    public void clear() {
        recent.clear();
        times.clear();
    }
}
