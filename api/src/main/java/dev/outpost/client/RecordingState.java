package dev.outpost.client;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.stats.Traffic;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.op.Op;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The record of a program: ids of values, handles, and the order of instructions. It lives as long as the program's
 * machine object, while machines come and go: each begins a {@link ValueEpoch} of values.
 *
 * <p>Invariants: one lock guards all state of recording, and no thread blocks while it holds the lock (a thread that waits for {@link
 * OpenScans} releases it). The order of messages in the outbox is the order of execution; a value's producer is in it before any consumer
 * and before its free.
 */
public final class RecordingState {
    private final String name;
    private final Recorder recorder;
    /** Whether instructions carry the line of the program that recorded them. */
    private final boolean traces;

    private final ReentrantLock lock = new ReentrantLock();
    private final Handles handles = new Handles(this);
    private final OpenScans scans = new OpenScans(lock.newCondition());
    private ValueEpoch current;
    private ProgramCalls calls;
    private QueryRecorder queryRecorder;
    private long lastId;
    /** The last id of the previous generation. */
    private long firstId;

    /**
     * @param name what errors call the machine
     * @param recorder records into this
     */
    public RecordingState(String name, Recorder recorder, boolean traces) {
        this.name = name;
        this.recorder = recorder;
        this.traces = traces;
    }

    String name() {
        return name;
    }

    Recorder recorder() {
        return recorder;
    }

    /** Values that are named from here on are of this generation; those of the one before are lost. */
    public void begin(ValueEpoch next) {
        lock.lock();
        try {
            current = next;
            firstId = lastId;
            calls = new ProgramCalls(next);
            queryRecorder = new QueryRecorder(next);
        } finally {
            lock.unlock();
        }
    }

    /** True if there is anything to compute for the current generation of values. */
    boolean hasRecorded() {
        return guarded(() -> lastId > firstId);
    }

    private boolean isCurrent(RemoteValue value) {
        return value.generation() == current;
    }

    /** With the lock held. */
    public long nextId() {
        return ++lastId;
    }

    // ---- instructions

    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        String source = source();
        lock.lock();
        try {
            scans.await(operands);
            RemoteValue[] results = current.segments().append(op, operands, types, source);
            for (int index = 0; index < results.length; index++) {
                holders[index] = holder.apply(results[index]);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records an instruction with one result, and binds a handle to the result. */
    public void recordInto(ValueHandle target, Op op, Object[] operands, TensorType type) {
        String source = source();
        lock.lock();
        try {
            scans.await(operands);
            target.held();
            RemoteValue result = current.segments().append(op, operands, new TensorType[] {type}, source)[0];
            release(exchange(target, result), true);
        } finally {
            lock.unlock();
        }
    }

    /** Records an instruction without operands for one session of the machine. Fails if another session has begun. */
    public RemoteValue record(Op op, TensorType type, MachineSession session) {
        String source = source();
        lock.lock();
        try {
            if (current.machine() != session) {
                throw session.loss();
            }
            return current.segments().append(op, new Object[0], new TensorType[] {type}, source)[0];
        } finally {
            lock.unlock();
        }
    }

    private String source() {
        return traces ? SourceLine.ofCaller() : null;
    }

    /** Seals this thread's segment. */
    public void endSegment() {
        lock.lock();
        try {
            current.segments().sealOfThread();
            current.sendFrees();
        } finally {
            lock.unlock();
        }
    }

    public void endAllSegments() {
        lock.lock();
        try {
            current.segments().sealAll();
            current.sendFrees();
        } finally {
            lock.unlock();
        }
    }

    // ---- programs

    /** Begins to trace a program whose values are of the current generation. */
    public ProgramRecorder trace(TraceStart start) {
        lock.lock();
        try {
            return new ProgramRecorder(current, traces, start);
        } finally {
            lock.unlock();
        }
    }

    /** @param scan null for a plain call */
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        lock.lock();
        try {
            while (scans.compute((Object[]) run.inputs()) || scans.compute((Object[]) run.replaced())) {
                scans.awaitEnd();
            }
            return calls.run(run, scan);
        } finally {
            lock.unlock();
        }
    }

    void drop(RemoteProgram program) {
        lock.lock();
        try {
            current.delivery().drop(program);
        } finally {
            lock.unlock();
        }
    }

    // ---- questions

    public CompletableFuture<byte[]> readBefore(StoredOperand operand) {
        lock.lock();
        try {
            return queryRecorder.readBefore(operand);
        } finally {
            lock.unlock();
        }
    }

    public byte[] shownBefore(StoredOperand operand) {
        lock.lock();
        try {
            return queryRecorder.shownBefore(operand);
        } finally {
            lock.unlock();
        }
    }

    public void keepShown(StoredOperand operand, byte[] elements) {
        lock.lock();
        try {
            queryRecorder.keepShown(operand, elements);
        } finally {
            lock.unlock();
        }
    }

    public CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek) {
        String source = source();
        lock.lock();
        try {
            return queryRecorder.fetch(operand, sink, isPeek, source);
        } finally {
            lock.unlock();
        }
    }

    public CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem) {
        String source = source();
        lock.lock();
        try {
            return queryRecorder.save(uri, tensors, files, shardBytes, stem, source);
        } finally {
            lock.unlock();
        }
    }

    public CompletableFuture<Optional<Explanation>> explain(ValueHandle handle) {
        lock.lock();
        try {
            return queryRecorder.explain(handle);
        } finally {
            lock.unlock();
        }
    }

    public CompletableFuture<Optional<Explanation>> explain(RemoteProgram program) {
        lock.lock();
        try {
            return queryRecorder.explain(program);
        } finally {
            lock.unlock();
        }
    }

    // ---- groups

    /** Its methods must be called with the lock held. */
    public OpenScans scans() {
        return scans;
    }

    /** Looks up something of what a handle holds, once the segment is sealed that computes it. */
    public <T> T ofSealed(ValueHandle handle, Function<RemoteValue, T> read) {
        lock.lock();
        try {
            scans.await(handle);
            RemoteValue value = handle.held();
            current.requireOwn(value);
            current.segments().sealProducer(value);
            return read.apply(value);
        } finally {
            lock.unlock();
        }
    }

    /** Reads something that the lock guards. */
    public <T> T guarded(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- handles

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

    ValueHandle hold(Object owner, RemoteValue value) {
        lock.lock();
        try {
            value.holders++;
            return handles.open(owner, value);
        } finally {
            lock.unlock();
        }
    }

    /** Another handle over what one holds. */
    public ValueHandle share(Object owner, ValueHandle source) {
        lock.lock();
        try {
            return hold(owner, source.held());
        } finally {
            lock.unlock();
        }
    }

    public void rebind(ValueHandle handle, ValueHandle source) {
        lock.lock();
        try {
            rebind(handle, source.held());
        } finally {
            lock.unlock();
        }
    }

    public void rebind(ValueHandle handle, RemoteValue value) {
        lock.lock();
        try {
            current.requireOwn(value);
            handle.held();
            value.holders++;
            release(exchange(handle, value), true);
        } finally {
            lock.unlock();
        }
    }

    /** Has a handle hold something else; the answer is what it held. With the lock held. */
    RemoteValue exchange(ValueHandle handle, RemoteValue value) {
        return handles.exchange(handle, value);
    }

    /** By the program. */
    void close(ValueHandle handle) {
        lock.lock();
        try {
            close(handle, true);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #close(ValueHandle)}, of many: that takes the lock once. */
    void close(ValueHandle[] closing, int from, int to) {
        lock.lock();
        try {
            for (int index = from; index < to; index++) {
                close(closing[index], true);
            }
        } finally {
            lock.unlock();
        }
    }

    private void close(ValueHandle handle, boolean byProgram) {
        RemoteValue value = handles.exchange(handle, null);
        if (value != null) {
            handles.remove(handle);
            release(value, byProgram);
        }
    }

    /** Drops a value that was just recorded. */
    void abandon(RemoteValue value) {
        lock.lock();
        try {
            release(value, true);
        } finally {
            lock.unlock();
        }
    }

    private static void release(RemoteValue value, boolean byProgram) {
        value.generation().release(value, byProgram);
    }

    // ---- what others find out

    /** Lets go of what the collector has found and what threads left that have ended, and tells the machine. */
    void collect() {
        lock.lock();
        try {
            current.segments().sealAbandoned();
            for (ValueHandle found = handles.pollCollected(); found != null; found = handles.pollCollected()) {
                close(found, false);
            }
            current.sendFrees();
        } finally {
            lock.unlock();
        }
    }

    /** A fault took these values: there are no elements of theirs on the machine. The answer is what people call their holders. */
    List<String> lost(long[] ids) {
        lock.lock();
        try {
            List<ValueHandle> holding = handles.holding(ids);
            holding.stream().map(ValueHandle::value).filter(this::isCurrent).forEach(current.account()::lost);
            return holding.stream()
                    .map(ValueHandle::label)
                    .filter(label -> !label.isEmpty())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** A machine has said what it has for this program: what is larger, it will refuse. That counts no more. */
    void quota(RemoteMemory memory, long bytes) {
        lock.lock();
        try {
            memory.quota(bytes);
            current.segments().refuse();
            handles.all().stream()
                    .map(ValueHandle::value)
                    .filter(value -> isCurrent(value) && memory.isTooLarge(value.type()))
                    .forEach(current.account()::lost);
        } finally {
            lock.unlock();
        }
    }

    /** Ids of values that the program has not given up yet: 0 when all tensors are closed. */
    public long heldValues() {
        lock.lock();
        try {
            return current.account().heldValues();
        } finally {
            lock.unlock();
        }
    }

    public MachineStats stats(long waits, Traffic traffic, Provisioning provisioning) {
        lock.lock();
        try {
            return current.delivery().stats(waits, traffic, provisioning);
        } finally {
            lock.unlock();
        }
    }
}
