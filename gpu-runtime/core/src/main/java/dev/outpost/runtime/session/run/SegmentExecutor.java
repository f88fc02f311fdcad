package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.explain.ExplainableRun;
import dev.outpost.runtime.plan.Plan;
import java.util.Arrays;

/**
 * Runs the segments and programs of a session one after the other: plans each graph, passes the inputs to the run,
 * and takes its outputs. An instruction that fails poisons only its own results. Used by the worker thread alone.
 */
public final class SegmentExecutor {
    private final SessionContext context;
    private final KernelLauncher launcher;
    private final ExplainLog log;
    private final ExchangeRunner exchanges;
    private final SessionPlans plans;
    private final RematerializationTable rematerializations;
    private boolean hasUpdated;

    public SegmentExecutor(SessionContext context, KernelLauncher launcher, ExplainLog log) {
        this.context = context;
        this.launcher = launcher;
        this.log = log;
        this.exchanges = new ExchangeRunner(context);
        this.plans = new SessionPlans(context, log);
        this.rematerializations = new RematerializationTable(this::compute, context.values(), context.memory());
    }

    /**
     * Runs a segment to its end, or launches it on an asynchronous engine.
     *
     * @param bindings ids of the session's values that are its inputs and outputs
     * @throws InterruptedException if the session ends meanwhile
     */
    public void run(Bindings bindings, Graph graph) throws InterruptedException {
        for (long output : bindings.outputs()) {
            context.values().requireUndefined(output);
        }
        log.log("Segment", graph, true);
        launcher.time().begin();
        rematerializations.prepare(graph.structure(), bindings.inputs());
        Plan plan = planOfSegment(graph);
        log.add(new ExplainableRun(bindings, graph, plan));
        launcher.beginRun(log.observe(plan, graph), log.times(plan));
        SegmentRun run = begin(graph, plan, "");
        launcher.time().begin();
        try {
            run.takeInputs(context.values(), bindings.inputs());
            context.loads().begin(graph);
            run.execute();
            run.bindOutputs(context.values(), bindings.outputs());
        } finally {
            end(run);
            context.loads().endSegment();
        }
        plan.demand().left(plan.rematerializations());
        rematerializations.settle();
    }

    private Plan planOfSegment(Graph graph) throws InterruptedException {
        Plan plan = plans.deferring(graph);
        return plan.rematerializations() == 0 || rematerializations.takes(plan) ? plan : plans.storing(graph);
    }

    /**
     * Runs a program once over the given values, and takes over the caller's ownership of them. The caller owns the results.
     *
     * @param graph the graph of the program, with the scalars and random draws of this run
     * @param place the place of faults as text
     * @throws InterruptedException if the session ends meanwhile
     */
    public Value[] run(LoadedProgram program, Graph graph, Value[] inputs, String place) throws InterruptedException {
        SegmentRun run = null;
        log.log("Program", graph, false);
        try {
            Plan plan = plans.storing(graph);
            program.runs(new ExplainableRun(program.bindings(), graph, plan));
            launcher.beginRun(log.observe(plan, graph), log.times(plan));
            run = begin(graph, plan, place);
        } finally {
            if (run == null) {
                Arrays.stream(inputs).forEach(Value::release);
            }
        }
        launcher.time().begin();
        try {
            run.takeInputs(inputs);
            launcher.pause();
            run.execute();
            return run.takeOutputs();
        } finally {
            end(run);
        }
    }

    /** Computes deferred values. The caller owns them. */
    private Value[] compute(Rematerialization rematerialization, Graph graph) throws InterruptedException {
        Plan plan = plans.storing(graph);
        launcher.beginRun(log.observeUntimed(plan, graph), null);
        SegmentRun run = begin(graph, plan, "");
        try {
            run.takeInputs(rematerialization.inputs());
            run.execute();
            return run.takeOutputs();
        } finally {
            end(run);
        }
    }

    private SegmentRun begin(Graph graph, Plan plan, String place) {
        return new SegmentRun(context, launcher, exchanges, plans, rematerializations, graph, plan, place);
    }

    private void end(SegmentRun run) {
        hasUpdated |= run.hasUpdated();
        run.releaseAll();
    }

    /**
     * Returns true if updates ran or were skipped since the last call, because the client may wait for their outcome.
     */
    public boolean takeUpdated() {
        boolean had = hasUpdated;
        hasUpdated = false;
        return had;
    }

    /** Returns the deferred values of the session. */
    public RematerializationTable rematerializations() {
        return rematerializations;
    }

    public void close() {
        launcher.constants().clear();
        log.clear();
        rematerializations.clear();
        context.engine().forgetOwner(context.session());
    }
}
