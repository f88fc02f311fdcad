package dev.outpost.client;

import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The open segments of all threads, and who holds which value. All state is guarded by the session's lock.
 *
 * <p>A value ends in one of three ways. The program lets go of it while its segment is open: the segment says so, as
 * part of its structure, and the machine may reuse the memory within. It lets go later, or the collector found that it
 * had: the id travels in a {@code Free} beside the segments. In either case it is said once.
 */
final class Recording {
    /** Never changed. */
    private static final BitSet NO_VIEWS = new BitSet();

    private final ClientSession session;
    private final ReentrantLock lock;
    private final SessionSettings settings;
    private final Outbox outbox;
    private final Gate gate;
    private final InstructionLog log;
    /** Null where nobody profiles. */
    private final SessionProfile profile;

    /** Whether this thread is inside a scope of the machine's. */
    private final BooleanSupplier isScoped;

    private final ThreadLocal<SegmentRecorder> current = ThreadLocal.withInitial(this::newRecorder);
    /** Of all threads that live, or whose segment is not sealed yet. */
    private final Set<SegmentRecorder> recorders = new HashSet<>();

    private final Handles handles;
    private final Counts counts = new Counts();
    private final Repeats repeats = new Repeats();
    private final ProgramTable programs = new ProgramTable();
    private final ScanTable scans = new ScanTable();
    private long[] frees = new long[64];
    private int freeCount;
    private long lastId;
    private final RemoteMemory memory;

    Recording(
            ClientSession session,
            ReentrantLock lock,
            SessionSettings settings,
            Outbox outbox,
            Gate gate,
            InstructionLog log,
            SessionProfile profile,
            BooleanSupplier isScoped) {
        this.isScoped = isScoped;
        this.profile = profile;
        this.session = session;
        this.handles = new Handles(session);
        this.lock = lock;
        this.settings = settings;
        this.outbox = outbox;
        this.gate = gate;
        this.log = log;
        this.memory = new RemoteMemory(
                session.name(), settings, new Collector(), this::collect, this::endAllSegments, scans::release);
    }

    // ---- instructions

    RemoteValue[] record(Op op, Object[] operands, TensorType[] types) {
        String source = source();
        lock.lock();
        try {
            return append(op, operands, types, source);
        } finally {
            lock.unlock();
        }
    }

    <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        String source = source();
        lock.lock();
        try {
            RemoteValue[] results = append(op, operands, types, source);
            for (int index = 0; index < results.length; index++) {
                holders[index] = holder.apply(results[index]);
            }
        } finally {
            lock.unlock();
        }
    }

    private String source() {
        return settings.traces() ? SourceLine.ofCaller() : null;
    }

    private RemoteValue[] append(Op op, Object[] operands, TensorType[] types, String source) {
        BitSet views = NO_VIEWS;
        try {
            for (int position = 0; position < operands.length; position++) {
                if (operands[position] instanceof StoredOperand stored) {
                    RemoteValue value = stored.storage().handle().held();
                    boolean isView = !stored.isAsItStands(value);
                    operands[position] = isView ? view(value, stored.layout(), source) : value;
                    if (isView) {
                        views = views == NO_VIEWS ? new BitSet() : views;
                        views.set(position);
                    }
                }
            }
            return appendResolved(op, operands, types, source);
        } finally {
            for (int position = views.nextSetBit(0); position >= 0; position = views.nextSetBit(position + 1)) {
                letGo((RemoteValue) operands[position], true);
            }
        }
    }

    /** Views cost an instruction only where one is used. */
    private RemoteValue view(RemoteValue value, Layout layout, String source) {
        AsStrided view = new AsStrided(layout);
        return appendResolved(view, new Object[] {value}, view.infer(value.type()), source)[0];
    }

    private RemoteValue[] appendResolved(Op op, Object[] operands, TensorType[] types, String source) {
        SegmentRecorder recorder = current.get();
        memory.requireHoldable(types);
        sealProducers(operands, recorder);
        if (profile != null && recorder.isEmpty()) {
            recorder.begunNanos = profile.now();
        }
        long bytes = RemoteMemory.bytes(types);
        RemoteValue[] results = name(types, bytes);
        recorder.append(op, operands, results, bytes);
        if (source != null) {
            recorder.source(source);
        }
        count(op, operands, results);
        if (isLongEnough(recorder)) {
            seal(recorder);
        }
        return results;
    }

    /** Outside of scopes garbage waits for the collector: more of it than fits beside the rest must not wait in one segment. */
    private boolean isLongEnough(SegmentRecorder recorder) {
        return recorder.instructionCount() >= settings.maxSegmentInstructions()
                || memory.isLarge(recorder.lastingBytes()) && !isScoped.getAsBoolean();
    }

    /** A value that another thread is still recording goes out before the segment that uses it. */
    private void sealProducers(Object[] operands, SegmentRecorder recorder) {
        for (Object operand : operands) {
            if (operand instanceof RemoteValue value) {
                requireOwn(value);
                if (value.producer != null && value.producer != recorder) {
                    sealProducer(value);
                }
            }
        }
    }

    /** The machine would take its number for one of its own values, or end the session. */
    private void requireOwn(RemoteValue value) {
        if (value.session() != session) {
            throw new OutpostException(
                    FaultKind.USER,
                    SourceLine.calledOp() + ": a value of " + value.session().name() + " is none of " + session.name());
        }
    }

    private void sealProducer(RemoteValue value) {
        if (value.producer.program() != null) {
            throw new OutpostException(
                    FaultKind.USER,
                    "program: a tensor of " + value.type()
                            + " that a program made while it was traced is no value; return it from the program");
        }
        seal(value.producer);
    }

    private RemoteValue[] name(TensorType[] types, long bytes) {
        RemoteValue[] results = new RemoteValue[types.length];
        for (int index = 0; index < types.length; index++) {
            results[index] = new RemoteValue(session, ++lastId, types[index]);
        }
        memory.named(types.length, bytes);
        return results;
    }

    private void count(Op op, Object[] operands, RemoteValue[] results) {
        counts.recorded(op);
        if (log != null) {
            log.event("RECORD", "Instruction", 0, InstructionText.of(op, operands, results));
        }
    }

    // ---- programs

    /** Has the machine run a program over values; the answer is what its bound outputs are. */
    ProgramCalled run(ProgramRun run, RemoteScan scan) {
        lock.lock();
        try {
            memory.requireHoldable(run.program().outputTypes());
            RemoteValue[] inputs = inputs(run);
            seal(current.get());
            sealBefore(run, inputs);
            programs.require(run.program(), this::send);
            TensorType[] types = run.program().outputTypes();
            long bytes = RemoteMemory.bytes(types);
            RemoteValue[] outputs = name(types, bytes);
            if (scan != null) {
                scans.open(scan);
            }
            // What a scan emits comes unasked.
            ProgramCalled called = new ProgramCalled(inputs, outputs);
            send(programs.message(run, called, replace(run, called), scan), scan != null);
            sealedOne(bytes);
            counts.sealed(true);
            sendFrees();
            return called;
        } finally {
            lock.unlock();
        }
    }

    ScanTable scans() {
        return scans;
    }

    void drop(RemoteProgram program) {
        lock.lock();
        try {
            programs.drop(program, this::send);
        } finally {
            lock.unlock();
        }
    }

    private RemoteValue[] inputs(ProgramRun run) {
        RemoteValue[] inputs = new RemoteValue[run.inputs().length];
        for (int index = 0; index < inputs.length; index++) {
            inputs[index] = run.inputs()[index].held();
            requireOwn(inputs[index]);
        }
        return inputs;
    }

    private void sealBefore(ProgramRun run, RemoteValue[] inputs) {
        for (RemoteValue input : inputs) {
            if (input.producer != null) {
                sealProducer(input);
            }
        }
        for (ValueHandle handle : run.replaced()) {
            if (handle.held().producer != null) {
                sealProducer(handle.value());
            }
        }
    }

    /** Binds what the call writes; the answer is which inputs nobody holds any more. */
    private boolean[] replace(ProgramRun run, ProgramCalled called) {
        RemoteValue[] before = new RemoteValue[run.replaced().length];
        for (int index = 0; index < before.length; index++) {
            RemoteValue next = called.named(run.replacements()[index]);
            next.holders++;
            before[index] = run.replaced()[index].exchange(next);
            before[index].holders--;
        }
        boolean[] consumed = new boolean[called.inputs().length];
        for (int index = 0; index < consumed.length; index++) {
            RemoteValue input = called.inputs()[index];
            consumed[index] = isUnwanted(input);
            if (consumed[index]) {
                input.dropped = true;
                memory.forgotten(input);
            }
        }
        for (RemoteValue value : before) {
            if (isUnwanted(value)) {
                value.dropped = true;
                free(value);
            }
        }
        return consumed;
    }

    private static boolean isUnwanted(RemoteValue value) {
        return value.holders == 0 && value.pins == 0 && !value.dropped;
    }

    private void send(Message message) {
        send(message, false);
    }

    private void send(Message message, boolean isUrgent) {
        int bytes = outbox.add(message, isUrgent);
        logSend(message.getClass().getSimpleName(), bytes, FaultText.summary(message));
    }

    // ---- holding and letting go

    ValueHandle hold(Object owner, RemoteValue value) {
        lock.lock();
        try {
            value.holders++;
            return handles.open(owner, value);
        } finally {
            lock.unlock();
        }
    }

    /** Takes over the hold that recording a value began with. */
    ValueHandle adopt(Object owner, RemoteValue value) {
        if (lock.isHeldByCurrentThread()) {
            // As whoever records has it: to enter again costs as much as what is done here.
            return handles.open(owner, value);
        }
        lock.lock();
        try {
            return handles.open(owner, value);
        } finally {
            lock.unlock();
        }
    }

    /** Another handle over what one holds. */
    ValueHandle share(Object owner, ValueHandle source) {
        lock.lock();
        try {
            return hold(owner, source.held());
        } finally {
            lock.unlock();
        }
    }

    void rebind(ValueHandle handle, ValueHandle source) {
        lock.lock();
        try {
            rebind(handle, source.held());
        } finally {
            lock.unlock();
        }
    }

    void rebind(ValueHandle handle, RemoteValue value) {
        lock.lock();
        try {
            requireOwn(value);
            handle.held();
            value.holders++;
            letGo(handle.exchange(value), true);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #close(ValueHandle, boolean)} by the program, of many: that takes the lock once. */
    void close(ValueHandle[] closing, int from, int to) {
        lock.lock();
        try {
            for (int index = from; index < to; index++) {
                closeOne(closing[index], true);
            }
        } finally {
            lock.unlock();
        }
    }

    void close(ValueHandle handle, boolean byProgram) {
        lock.lock();
        try {
            closeOne(handle, byProgram);
        } finally {
            lock.unlock();
        }
    }

    private void closeOne(ValueHandle handle, boolean byProgram) {
        RemoteValue value = handle.exchange(null);
        if (value != null) {
            handles.remove(handle);
            letGo(value, byProgram);
        }
    }

    void abandon(RemoteValue value) {
        lock.lock();
        try {
            letGo(value, true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * One holder less. Only what the program itself lets go of may enter a segment's structure: the collector's timing
     * would make equal steps look different.
     */
    private void letGo(RemoteValue value, boolean byProgram) {
        value.holders--;
        if (value.holders > 0) {
            return;
        }
        SegmentRecorder recorder = byProgram ? current.get() : null;
        if (value.producer != null) {
            if (value.producer == recorder) {
                recorder.dropResult(value);
                memory.unnamed(value);
            } else if (value.program() == null) {
                memory.unheld(value);
            }
        } else if (value.pins == 0) {
            free(value);
        } else if (value.pins == 1 && recorder != null && recorder.isInput(value)) {
            recorder.dropInput(value);
            memory.forgotten(value);
        }
    }

    private void free(RemoteValue value) {
        if (freeCount == frees.length) {
            frees = Arrays.copyOf(frees, 2 * freeCount);
        }
        frees[freeCount++] = value.id();
        memory.forgotten(value);
    }

    // ---- segments

    private SegmentRecorder newRecorder() {
        SegmentRecorder recorder = new SegmentRecorder();
        recorder.track = profile == null ? 0 : profile.track();
        recorders.add(recorder);
        return recorder;
    }

    void endSegment() {
        lock.lock();
        try {
            seal(current.get());
            sendFrees();
        } finally {
            lock.unlock();
        }
    }

    void endAllSegments() {
        lock.lock();
        try {
            List.copyOf(recorders).forEach(this::seal);
            sendFrees();
        } finally {
            lock.unlock();
        }
    }

    CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, Fetches fetches) {
        String source = source();
        lock.lock();
        try {
            if (operand.isWhole()) {
                return fetch(operand.storage().handle().held(), sink, fetches);
            }
            RemoteValue part = copy(operand, source);
            try {
                return fetch(part, sink, fetches);
            } finally {
                letGo(part, true);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Only what a view covers moves. */
    private RemoteValue copy(StoredOperand operand, String source) {
        TensorType type = new TensorType(
                operand.storage().handle().held().type().dtype(),
                operand.layout().shape());
        return append(Unary.COPY, new Object[] {operand}, Unary.COPY.infer(type), source)[0];
    }

    /** A value of a program has none: its producer cannot be sealed. */
    private CompletableFuture<Void> fetch(RemoteValue value, ElementSink sink, Fetches fetches) {
        seal(current.get());
        if (value.producer != null) {
            sealProducer(value);
        }
        long fetch = fetches.begin(value.type(), sink);
        CompletableFuture<Void> future = fetches.future(fetch);
        outbox.add(new Message.Fetch(fetch, value.id()), true);
        logSend("Fetch", 0, "%" + value.id());
        return future;
    }

    CompletableFuture<Optional<Explanation>> explain(ValueHandle handle, Explanations explanations) {
        lock.lock();
        try {
            RemoteValue value = handle.held();
            seal(current.get());
            if (value.producer != null) {
                sealProducer(value);
            }
            Explanations.Asked asked = explanations.ask();
            outbox.add(new Message.Explain(asked.request(), value.id()), true);
            logSend("Explain", 0, "%" + value.id());
            return asked.answer();
        } finally {
            lock.unlock();
        }
    }

    CompletableFuture<Optional<Explanation>> explain(RemoteProgram program, Explanations explanations) {
        lock.lock();
        try {
            if (program.slot < 0) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            seal(current.get());
            Explanations.Asked asked = explanations.ask();
            outbox.add(new Message.ExplainProgram(asked.request(), program.slot), true);
            logSend("ExplainProgram", 0, "program " + program.slot);
            return asked.answer();
        } finally {
            lock.unlock();
        }
    }

    private void seal(SegmentRecorder recorder) {
        if (recorder.isEmpty()) {
            return;
        }
        long sealing = profile == null ? 0 : profile.now();
        // What the program let go of before needs no room while this segment runs.
        sendFrees();
        SegmentRecorder.Sealed sealed = recorder.seal();
        sealed.inputs().forEach(this::unpin);
        sealed.results().forEach(this::settle);
        Message message = repeats.message(sealed.writer());
        counts.sealed(message instanceof Message.RepeatSegment);
        long number = sealedOne(sealed.lastingBytes());
        int bytes = outbox.add(message, false);
        if (profile != null) {
            int instructions = sealed.writer().instructionCount();
            profile.sealed(recorder.track, recorder.begunNanos, sealing, number, instructions, bytes);
        }
        logSend("Segment", bytes, sealed.writer().instructionCount() + " instructions");
        sendFrees();
    }

    private long sealedOne(long bytes) {
        long number = gate.sealedOne();
        memory.sealed(number, bytes);
        return number;
    }

    private void unpin(RemoteValue value) {
        value.pins--;
        if (!value.dropped && value.holders == 0 && value.pins == 0) {
            free(value);
        }
    }

    private void settle(RemoteValue value) {
        value.producer = null;
        if (!value.dropped && value.holders == 0) {
            memory.settled(value);
            free(value);
        }
    }

    /** Only ids of sealed segments are in the list, so the free comes after every use. */
    private void sendFrees() {
        for (int from = 0; from < freeCount; from += Message.MAX_FREED) {
            long[] some = Arrays.copyOfRange(frees, from, Math.min(freeCount, from + Message.MAX_FREED));
            outbox.add(new Message.Free(some), false);
            logSend("Free", 0, some.length + " values");
        }
        freeCount = 0;
    }

    private void logSend(String what, long bytes, String detail) {
        if (log != null) {
            log.event("SEND", what, bytes, detail);
        }
    }

    // ---- memory

    RemoteMemory memory() {
        return memory;
    }

    /** Seals the segments of threads that have ended. Otherwise they would never be sent, and their inputs never freed. */
    private void sealAbandoned() {
        for (Iterator<SegmentRecorder> each = recorders.iterator(); each.hasNext(); ) {
            SegmentRecorder recorder = each.next();
            if (recorder.isAbandoned()) {
                seal(recorder);
                each.remove();
            }
        }
    }

    /** Lets go of what the collector has found and what threads left that have ended, and tells the machine. */
    void collect() {
        lock.lock();
        try {
            sealAbandoned();
            for (ValueHandle found = handles.pollCollected(); found != null; found = handles.pollCollected()) {
                close(found, false);
            }
            sendFrees();
        } finally {
            lock.unlock();
        }
        if (log != null) {
            log.flush();
        }
    }

    /** A fault took these values: there are no elements of theirs on the machine. The answer is what people call their holders. */
    List<String> lost(long[] ids) {
        lock.lock();
        try {
            List<ValueHandle> holding = handles.holding(ids);
            for (ValueHandle handle : holding) {
                memory.lost(handle.value());
            }
            return holding.stream()
                    .map(ValueHandle::label)
                    .filter(label -> !label.isEmpty())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** The machine has said what it has for this session: what is larger, it will refuse. That counts no more. */
    void quota(long bytes) {
        lock.lock();
        try {
            memory.quota(bytes);
            recorders.forEach(recorder -> recorder.refuse(memory));
            handles.all().stream()
                    .map(ValueHandle::value)
                    .filter(value -> memory.isTooLarge(value.type()))
                    .forEach(memory::lost);
        } finally {
            lock.unlock();
        }
    }

    // ---- looking in

    long heldValues() {
        lock.lock();
        try {
            return memory.heldValues();
        } finally {
            lock.unlock();
        }
    }

    MachineStats stats(Message.Progress progress, long waits, Traffic traffic, Provisioning provisioning) {
        return counts.stats(progress, waits, traffic, provisioning);
    }
}
