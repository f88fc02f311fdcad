package dev.outpost.client.program;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.numbers.LiveScalar;
import dev.outpost.client.numbers.RunScalar;
import dev.outpost.client.record.ProgramTrace;
import dev.outpost.client.record.RecordingOwner;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records a program while its Java function runs, on one thread. The instructions are kept for later calls. Storages from outside that the
 * function reads become inputs of the program, and those that it writes become outputs.
 *
 * <p>Invariant: storages from outside keep their values. Their new values are kept here.
 */
public final class ProgramRecorder implements Recorder, ProgramTrace {
    private static final String NO_VALUES = "a program has no values while it is traced, so it cannot depend on them";

    private static final ThreadLocal<ProgramRecorder> CURRENT = new ThreadLocal<>();

    /** The number of threads that trace. While it is 0, a thread reads only this field and no thread-local. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    private final Recorder home;
    private final ProgramWriter writer;
    private final TracedState state;
    private final List<ProgramInput> inputs = new ArrayList<>();
    private final Map<Storage, TracedArgument> arguments = new IdentityHashMap<>();
    private final Map<Storage, TracedStorage> storages = new IdentityHashMap<>();
    private final List<TracedStorage> storagesInOrder = new ArrayList<>();

    /** @param epoch the epoch to whose values the values of this program refer */
    ProgramRecorder(Recorder home, ValueEpoch epoch, boolean traces, TraceStart start) {
        this.home = home;
        this.writer = new ProgramWriter(home, epoch, traces, this);
        this.state = new TracedState(this, start);
    }

    /** Returns the recorder of the program that the calling thread traces, or null. */
    public static ProgramRecorder ofThread() {
        return ACTIVE.get() == 0 ? null : CURRENT.get();
    }

    /** Runs the function that is traced. */
    public <T> T inside(Supplier<T> body) {
        ACTIVE.incrementAndGet();
        CURRENT.set(this);
        try {
            return body.get();
        } finally {
            CURRENT.remove();
            ACTIVE.decrementAndGet();
        }
    }

    /**
     * Drops the storages and places that the function used, after their use. Handles of this program's values refer to this recorder. If it
     * kept storages, those handles would keep their own owners alive, and would never be collected.
     */
    public void forget() {
        inputs.clear();
        arguments.clear();
        storages.clear();
        storagesInOrder.clear();
        state.forget();
    }

    <T> T outside(Supplier<T> body) {
        CURRENT.remove();
        try {
            return body.get();
        } finally {
            CURRENT.set(this);
        }
    }

    @Override
    public String name() {
        return home.name();
    }

    @Override
    public Recorder current() {
        return this;
    }

    /** Fails unless the program is traced for this machine or group. */
    public void requireHome(RecordingOwner other) {
        if (other != home) {
            throw refusal("program", "it is traced for " + home.name() + " and cannot use " + other.name());
        }
    }

    // ---- instructions

    @Override
    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        for (int position = 0; position < operands.length; position++) {
            operands[position] = resolved(operands[position]);
        }
        RemoteValue[] results = writer.record(op, operands, types);
        for (int index = 0; index < results.length; index++) {
            holders[index] = holder.apply(results[index]);
        }
    }

    @Override
    public void recordInto(Storage target, Op op, Object[] operands, TensorType type) {
        RemoteValue[] result = new RemoteValue[1];
        record(op, operands, new TensorType[] {type}, Function.identity(), result);
        rebind(target, result[0]);
        result[0].abandon();
    }

    private Object resolved(Object operand) {
        return switch (operand) {
            case StoredOperand stored -> resolved(stored);
            case LiveScalar live -> new RunScalar(live.scalar(), state.numbers().column(live));
            default -> operand;
        };
    }

    /** Records a view of a value if the layout needs one. */
    private RemoteValue resolved(StoredOperand stored) {
        RemoteValue value = value(stored.storage());
        return stored.isAsItStands(value) ? value : view(value, stored.layout());
    }

    /** Records another view of a value of this program. */
    public RemoteValue view(RemoteValue value, Layout layout) {
        return record(new AsStrided(layout), value);
    }

    /** Records an instruction with one result over values of this program. */
    public RemoteValue record(Op op, RemoteValue... operands) {
        TensorType[] types = new TensorType[operands.length];
        for (int position = 0; position < types.length; position++) {
            types[position] = operands[position].type();
        }
        return writer.record(op, operands.clone(), op.infer(types))[0];
    }

    /** Uploads the elements once, while tracing, not at each call. */
    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        return state.outside(() -> home.upload(type, elements));
    }

    /** Loads once, while tracing, not at each call. */
    @Override
    public RemoteValue load(Load load) {
        return state.outside(() -> home.load(load));
    }

    @Override
    public byte[] ask(SourceQuestion question) {
        return home.ask(question);
    }

    @Override
    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        throw refusal("save", "a program has computed nothing while it is traced");
    }

    /** Does nothing: a program is one segment. */
    @Override
    public void endSegment() {}

    // ---- storages

    private boolean owns(Storage storage) {
        return storage.handle().program() == this;
    }

    @Override
    public RemoteValue value(Storage storage) {
        if (owns(storage)) {
            return storage.handle().held();
        }
        requireHome(storage.handle().owner());
        TracedArgument argument = arguments.get(storage);
        if (argument != null) {
            argument.captured = true;
            return argument.current();
        }
        TracedStorage traced = traced(storage);
        if (traced.current == null) {
            traced.entry = input(
                    new ProgramInput.Captured(storage), storage.handle().held().type());
            traced.current = traced.entry;
        }
        return traced.current;
    }

    private TracedStorage traced(Storage storage) {
        return storages.computeIfAbsent(storage, outer -> {
            TracedStorage added = new TracedStorage(outer);
            storagesInOrder.add(added);
            return added;
        });
    }

    @Override
    public ValueHandle share(Object owner, Storage source) {
        return value(source).hold(owner);
    }

    @Override
    public void rebind(Storage target, Storage source) {
        rebind(target, value(source));
    }

    private void rebind(Storage target, RemoteValue value) {
        TracedArgument argument = arguments.get(target);
        if (owns(target)) {
            target.handle().rebind(value);
        } else if (argument != null) {
            argument.captured = true;
            argument.inner().handle().rebind(value);
        } else {
            requireHome(target.handle().owner());
            traced(target).current = value;
        }
    }

    @Override
    public Sharding sharding(Storage storage) {
        throw refusal("placement", NO_VALUES);
    }

    // ---- programs

    @Override
    public ProgramRecorder trace(TraceStart start) {
        throw refusal("program", "another is being traced by this thread");
    }

    @Override
    public ProgramCalled run(ProgramRun run) {
        throw refusal("program", "a program that is traced runs the function of another, not the other program");
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        return run(run);
    }

    @Override
    public RemoteScan scan(TensorType[] emitted, long max) {
        throw refusal("scan", "a program cannot scan another; call it in a loop, or scan from outside");
    }

    @Override
    public void drop(RemoteProgram program) {
        home.drop(program);
    }

    // ---- reading

    @Override
    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        throw refusal(SourceLine.calledOp(), NO_VALUES);
    }

    @Override
    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        throw refusal(SourceLine.calledOp(), NO_VALUES);
    }

    @Override
    public byte[] shownBefore(StoredOperand operand) {
        throw refusal(SourceLine.calledOp(), NO_VALUES);
    }

    @Override
    public void keepShown(StoredOperand operand, byte[] elements) {
        throw refusal(SourceLine.calledOp(), NO_VALUES);
    }

    @Override
    public Optional<Explanation> explain(Storage storage) {
        throw refusal("explain", "a program has computed nothing while it is traced");
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        throw refusal("explain", "a program has computed nothing while it is traced");
    }

    @Override
    public void drain() {
        throw refusal("synchronize", "a program that is traced has not begun to compute");
    }

    @Override
    public BlockingWaits waits() {
        return home.waits();
    }

    @Override
    public long nextUpdate() {
        return home.nextUpdate();
    }

    @Override
    public PendingUpdates updates() {
        return home.updates();
    }

    @Override
    public long takeDraw() {
        return 0;
    }

    // ---- the traced program

    public TracedState state() {
        return state;
    }

    /** Adds an input; the returned value stands for the value of each call. */
    public RemoteValue input(ProgramInput source, TensorType type) {
        inputs.add(source);
        return writer.input(type);
    }

    /** Adds the stand-in for the storage of an argument. {@code inner} holds the input. */
    public TracedArgument argument(Storage outer, Storage inner) {
        TracedArgument added = new TracedArgument(inner, inner.handle().held());
        arguments.put(outer, added);
        return added;
    }

    public List<ProgramInput> inputs() {
        return inputs;
    }

    /** Returns the source of an input of this program. */
    public ProgramInput source(RemoteValue input) {
        return inputs.get(writer.inputIndex(input));
    }

    /** Returns the index of an input, or -1 for a computed value. */
    public int inputIndex(RemoteValue value) {
        return writer.inputIndex(value);
    }

    /** Returns the stand-ins for arguments, by the storage of the argument. */
    public Map<Storage, TracedArgument> arguments() {
        return arguments;
    }

    /** Returns the storages from outside that are no arguments, in the order of their first use. */
    public List<TracedStorage> storages() {
        return storagesInOrder;
    }

    /** Returns the number of random draws that have been recorded. */
    public int draws() {
        return writer.draws();
    }

    /** Ends the recording. */
    public RemoteProgram finish(ProgramOutputs outputs) {
        return writer.finish(state.numbers().columns(), outputs);
    }

    /** Returns the exception for an operation that cannot be part of a program, with the line of the call. */
    public static OutpostException refusal(String op, String problem) {
        String line = SourceLine.ofCaller();
        return new OutpostException(FaultKind.USER, op + ": " + problem + (line.isEmpty() ? "" : " (" + line + ")"));
    }
}
