package dev.outpost.runtime.session.run;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.ExplanationData;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.explain.ExplainableRun;
import dev.outpost.runtime.explain.RecentRuns;
import dev.outpost.runtime.explain.TimedPlans;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.ExchangeResult;
import dev.outpost.runtime.peer.LaunchGroupOffer;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.plan.Arena;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.IndexFaults;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.SessionCounters;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Runs a session's segments. Used by the worker alone. */
public final class SegmentRunner {
    private static final byte[] NOTHING = new byte[0];

    private final SessionContext context;
    private final SessionCounters counters;
    private final TimeSlice slice;
    /** Null where the engine is not asynchronous. */
    private final DeviceMeter device;

    private final ScalarConstants scalarConstants;
    private final Views views;
    private final SegmentTime time;
    private final Launches launches;
    private final BooleanSupplier stopped;
    private final RecentRuns recent = new RecentRuns();
    private final TimedPlans times = new TimedPlans();
    private final RematerializationTable rematerializations;
    private final IndexFaults indexFaults = new IndexFaults();
    /** Null until the client profiles. */
    private EngineTracer tracer;

    private String place = "";
    private boolean hasUpdated;

    /** @param stopped whether the session has ended; asked between instructions */
    public SegmentRunner(SessionContext context, BooleanSupplier stopped) {
        this.context = context;
        this.counters = context.counters();
        this.slice = context.slice();
        this.device = context.device();
        this.scalarConstants = new ScalarConstants(context.engine());
        this.launches = new Launches(context);
        this.views = new Views(this);
        this.time = new SegmentTime(context);
        this.stopped = stopped;
        this.rematerializations = new RematerializationTable(this, context.values(), context.memory());
    }

    /**
     * Runs a segment to its end; on an asynchronous engine, launches it. What fails poisons its results and nothing else.
     *
     * @throws InterruptedException when the session ends meanwhile
     */
    public void run(IncomingSegment incoming) throws InterruptedException {
        Bindings bindings = incoming.bindings();
        Graph graph = incoming.graph();
        for (long output : bindings.outputs()) {
            context.values().requireUndefined(output);
        }
        logRun("Segment", graph, true);
        time.begin();
        rematerializations.prepare(graph.structure(), bindings.inputs());
        Plan plan = planOfSegment(graph);
        recent.add(new ExplainableRun(bindings, graph, plan));
        observe(plan, graph);
        SegmentRun run = new SegmentRun(this, graph, plan, listener());
        time.begin();
        try {
            run.takeInputs(context.values(), bindings.inputs());
            context.loads().begin(graph);
            run.execute();
            run.bindOutputs(context.values(), bindings.outputs());
        } finally {
            run.releaseAll();
            context.loads().endSegment();
        }
        plan.demand().left(plan.rematerializations());
        rematerializations.settle();
    }

    /** @param isListed true to log each instruction; false for programs, because they run often */
    private void logRun(String what, Graph graph, boolean isListed) {
        InstructionLog log = context.log();
        if (log == null) {
            return;
        }
        log.event("RUN", what, 0, graph.instructions().size() + " instructions");
        if (isListed) {
            graph.instructions().forEach(instruction -> log.event("RUN", "Instruction", 0, instruction.toString()));
        }
    }

    private void observe(Plan plan, Graph graph) {
        RunObserver observer = RunObserver.of(plan, graph, times.begin(plan), tracer);
        launches.observe(observer, times.of(plan));
    }

    /**
     * A client that profiles is told of an exchange.
     *
     * @param start the time by {@link #now} at which nothing of it was sent yet
     */
    void trace(PeerGroup.Underway exchange, long start, Task task, Graph graph) {
        EngineTracer told = tracer;
        if (told != null) {
            exchange.result().whenComplete((result, failure) -> told.kernel(task, graph, start, now()));
        }
    }

    /** Done when all has run that was launched so far. */
    public Completion fence() {
        return device == null ? Completion.DONE : device.fence();
    }

    private Plan planOfSegment(Graph graph) throws InterruptedException {
        Plan plan = plan(graph, true);
        return plan.rematerializations() == 0 || rematerializations.takes(plan) ? plan : plan(graph, false);
    }

    /** Those of the session's values that are not stored. */
    public RematerializationTable rematerializations() {
        return rematerializations;
    }

    /**
     * Computes values by rematerialization; the caller owns them.
     *
     * @param graph computes the values
     * @throws InterruptedException when the session ends meanwhile
     */
    public Value[] run(Rematerialization rematerialization, Graph graph) throws InterruptedException {
        Plan plan = plan(graph, false);
        launches.observe(RunObserver.of(plan, graph, null, tracer), null);
        SegmentRun run = new SegmentRun(this, graph, plan, listener());
        try {
            run.takeInputs(rematerialization.inputs());
            run.execute();
            return run.takeOutputs();
        } finally {
            run.releaseAll();
        }
    }

    /** The dry run that finds room, where a plan takes more than there is; null where all fits. */
    public MemoryDryRun dryRun(RunValues values) {
        long needed = values.plan().memory().newBytes();
        long available = context.memory().available(needed);
        return available >= needed ? null : MemoryDryRun.of(values, available);
    }

    /** Why a task of a plan finds no room. */
    public OutpostException outOfMemory(long bytes, Plan plan) {
        return context.memory().outOfMemory(bytes, plan.memory().newBytes());
    }

    public boolean isTraced() {
        return tracer != null;
    }

    /** Notes what this does, from the first call on. */
    public EngineTracer traced() {
        tracer = tracer == null ? new EngineTracer() : tracer;
        return tracer;
    }

    /** How a value was computed; empty where that is forgotten. */
    public Optional<ExplanationData> explain(long value) {
        return recent.explain(value, times);
    }

    /** The latest instructions as text without values. Thread-safe. */
    public List<String> instructions(int max) {
        return recent.text(max);
    }

    /** How the latest run of a program was computed; empty where there was none. */
    public Optional<ExplanationData> explain(LoadedProgram program) {
        return Optional.ofNullable(program.latestRun()).map(run -> run.explain(times));
    }

    /**
     * Runs a program once over given values, whose owners it takes over; the caller owns the results.
     *
     * @param graph of the program, with the numbers of this run
     * @throws InterruptedException when the session ends meanwhile
     */
    public Value[] run(LoadedProgram program, Graph graph, Value[] inputs) throws InterruptedException {
        SegmentRun run = null;
        logRun("Program", graph, false);
        try {
            Plan plan = plan(graph);
            program.runs(new ExplainableRun(program.bindings(), graph, plan));
            observe(plan, graph);
            run = new SegmentRun(this, graph, plan, listener());
        } finally {
            if (run == null) {
                Arrays.stream(inputs).forEach(Value::release);
            }
        }
        time.begin();
        try {
            run.takeInputs(inputs);
            pause();
            run.execute();
            return run.takeOutputs();
        } finally {
            run.releaseAll();
        }
    }

    /** Says what faults from here on add about where they happened. */
    public void during(String newPlace) {
        place = newPlace;
    }

    public void close() {
        scalarConstants.clear();
        recent.clear();
        times.clear();
        rematerializations.clear();
        context.engine().forgetOwner(context.session());
    }

    /** Called between instructions: where a session stops, waits for its device, and lets others have their turn. */
    public void pause() throws InterruptedException {
        if (stopped.getAsBoolean()) {
            throw new InterruptedException("the session has ended");
        }
        if (device != null) {
            device.awaitRoom();
        }
        slice.giveWay();
    }

    /** Runs the kernels of the segment at hand. */
    Launches launches() {
        return launches;
    }

    /** Called before an instruction that computes something. */
    public void awaitTurn() throws InterruptedException {
        slice.take();
    }

    /** The fault of an instruction that failed. */
    public Fault fault(Throwable problem, Instruction instruction, Graph graph) {
        return context.faults().record(problem, instruction, place, graph.source(instruction.index()));
    }

    /** Another fault of the run stands for this one. */
    public void replaced(Fault fault) {
        context.faults().replaced(fault);
    }

    /** Knows which failures of indices are one. */
    public IndexFaults indexFaults() {
        return indexFaults;
    }

    /** An update was run, or left out. */
    public void updated() {
        hasUpdated = true;
    }

    /** Whether there were updates since this was asked last: the client may wait to hear how they went. */
    public boolean takeUpdated() {
        boolean had = hasUpdated;
        hasUpdated = false;
        return had;
    }

    /** An update did not happen because of a fault; the client is to be told. */
    public void updateFailed(long update, Fault fault) {
        context.faults().updateFailed(update, fault);
    }

    public SegmentTime time() {
        return time;
    }

    public ScalarConstants immediates() {
        return scalarConstants;
    }

    public RefCountedStorage allocate(TensorType type) {
        return context.memory().allocate(type.dtype(), type.shape().elements());
    }

    public RefCountedStorage literal(TensorType type, byte[] elements) {
        RefCountedStorage storage = allocate(type);
        context.engine().write(storage.buffer(), 0, new Slice(elements));
        return storage;
    }

    public RefCountedStorage upload(long number, TensorType type) throws InterruptedException {
        return context.uploads().take(number, type, slice::release);
    }

    /** The kernel for exchanges within a unit; empty where exchanges are begun one by one. */
    Optional<Kernel> exchanger() {
        return device == null ? Optional.empty() : context.peers().exchanger();
    }

    /** Whether an exchange goes from device to device. */
    boolean isExchangedOnDevices(Collective collective, Shape given) throws InterruptedException {
        return context.peers().devices(collective, given).isPresent();
    }

    /**
     * Offers the other members to launch several exchanges at once, and waits for their answer without the turn at the engine.
     *
     * @param first the first exchange, to which this member gives elements of that shape
     * @param last the last one
     */
    LaunchGroupOffer offer(Collective first, Shape given, Collective last) throws InterruptedException {
        slice.release();
        return context.peers().offer(first, given, last.number());
    }

    /**
     * Begins to exchange elements with the other members of the session's group, who are told where there are none to give.
     *
     * @param operand what this one has, or null where it has nothing to give
     * @param result where a device may put the result; null where there is no room
     * @param lost why it has none, or null
     * @param failed says why the operand cannot be read
     * @param offer that the exchange has told in vain; null where there was none
     */
    public PeerGroup.Underway exchange(
            Collective collective,
            Array operand,
            RefCountedStorage result,
            Fault lost,
            Function<Throwable, Fault> failed,
            LaunchGroupOffer offer)
            throws InterruptedException {
        if (!context.peers().isJoined()) {
            slice.release();
        }
        Shape given = operand == null ? null : operand.shape();
        Optional<DeviceCommunicator> devices = context.peers().devices(collective, given);
        return devices.isPresent()
                ? exchangeOnDevices(devices.get(), collective, operand, result, lost, failed, offer)
                : exchangeByHost(collective, operand, lost, failed);
    }

    private PeerGroup.Underway exchangeOnDevices(
            DeviceCommunicator devices,
            Collective collective,
            Array operand,
            RefCountedStorage result,
            Fault lost,
            Function<Throwable, Fault> failed,
            LaunchGroupOffer offer)
            throws InterruptedException {
        DeviceExchange prepared = null;
        Fault reason = lost;
        if (reason == null) {
            slice.take();
            try {
                prepared = devices.prepare(collective, operand, result.buffer());
            } catch (RuntimeException | Error failure) {
                reason = failed.apply(failure);
            }
        }
        slice.release();
        if (offer != null) {
            offer.resume(prepared, Optional.ofNullable(reason));
            return offer.exchange();
        }
        return context.peers()
                .begin(
                        collective,
                        prepared == null || operand == null ? null : operand.shape(),
                        prepared,
                        Optional.ofNullable(reason));
    }

    private PeerGroup.Underway exchangeByHost(
            Collective collective, Array operand, Fault lost, Function<Throwable, Fault> failed)
            throws InterruptedException {
        byte[] elements = NOTHING;
        Fault reason = lost;
        try {
            elements = operand == null
                    ? NOTHING
                    : context.engine()
                            .read(operand, 0, Math.toIntExact(operand.shape().elements()));
        } catch (RuntimeException | Error failure) {
            reason = failed.apply(failure);
        }
        slice.release();
        return context.peers()
                .begin(
                        collective,
                        operand == null || reason != null ? null : operand.shape(),
                        elements,
                        Optional.ofNullable(reason));
    }

    /** Waits for the other members, without the turn at the engine. */
    public ExchangeResult await(PeerGroup.Underway exchange) throws InterruptedException {
        if (!exchange.isDone()) {
            slice.release();
        }
        return exchange.await();
    }

    /** Writes what came into memory that is there. */
    public void write(RefCountedStorage storage, byte[] elements) {
        context.engine().write(storage.buffer(), 0, new Slice(elements));
    }

    public RefCountedStorage load(Load load) throws InterruptedException {
        return context.loads().take(load, slice::release);
    }

    public long now() {
        return context.runtime().now();
    }

    /** Opens or runs a model; the caller owns the results. */
    public Value.Present[] runModel(Op op, Value.Present[] operands) {
        long start = now();
        try {
            return context.models().run(op, operands, () -> stopped.getAsBoolean() || time.isOver());
        } finally {
            counters.engineNanos.add(now() - start);
            counters.kernels.add(1);
        }
    }

    public Value.Present view(Value.Present base, Layout layout, KernelTimeListener listener)
            throws InterruptedException {
        context.memory().requireHoldable(layout.shape());
        return views.view(base, layout, listener);
    }

    /** The code of one instruction of several that a plan computes at once. */
    public Kernel alone(Instruction instruction) {
        return (op, operands, results) -> context.engine().compile(instruction).run(op, operands, results);
    }

    /** @param arena null where each thing that is made lies by itself */
    public PlanMemory memory(Arena arena) {
        return arena == null
                ? PlanMemory.plain(context.memory(), context.engine())
                : PlanMemory.of(context.memory(), context.engine(), arena);
    }

    /** A plan that stores all that outlives it. */
    public Plan plan(Graph graph) throws InterruptedException {
        return plan(graph, false);
    }

    private Plan plan(Graph graph, boolean mayDefer) throws InterruptedException {
        long start = tracer == null ? 0 : context.runtime().now();
        PlanCache.Answer answer = context.runtime().plans().plan(graph, mayDefer, slice::release);
        if (tracer != null && answer.made()) {
            tracer.planned(start, context.runtime().now());
        }
        counters.plansMade.add(answer.made() ? 1 : 0);
        return answer.plan();
    }

    private SegmentRun.Listener listener() {
        return context.runtime().observers().isAnyOpen() ? this::note : null;
    }

    private void note(Instruction instruction, long nanos) {
        context.runtime().observers().note(context.session(), instruction, nanos);
    }
}
