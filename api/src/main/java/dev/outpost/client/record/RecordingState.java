package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The record of a program: ids of values, handles, and the order of instructions. It lives as long as the program's
 * machine object. Each new machine begins a {@link ValueEpoch}.
 *
 * <p>Invariants: one lock guards all state of recording, and no thread blocks while it holds the lock (a thread that waits for {@link
 * OpenScans} releases it). The order of messages in the outbox is the order of execution. A value's producer enters the outbox before any
 * consumer and before its free.
 */
public final class RecordingState implements HandleTable {
    private final RecordingOwner owner;
    /** True if instructions carry the line of the program that recorded them. */
    private final boolean traces;

    private final ReentrantLock lock = new ReentrantLock();
    private final Handles handles = new Handles(this);
    private final OpenScans scans = new OpenScans(lock.newCondition());
    private final Suspension suspension = new Suspension(lock);
    private ValueEpoch current;
    /** Runs when segments were sealed, before values are freed. */
    private Runnable afterSegments = () -> {};

    private long lastId;
    /** The last id of the previous epoch. */
    private long firstId;

    /**
     * @param owner the machine, or the group, that the values are on
     * @param traces true if instructions carry the line of the program that recorded them
     */
    public RecordingState(RecordingOwner owner, boolean traces) {
        this.owner = owner;
        this.traces = traces;
    }

    @Override
    public RecordingOwner owner() {
        return owner;
    }

    /** True if instructions carry the line of the program that recorded them. */
    public boolean traces() {
        return traces;
    }

    // ---- pauses

    /**
     * Seals all segments, and lets nothing be recorded until {@link #continueRecording}. A thread that wants to record waits. Values can
     * still be released; the machine learns of it later.
     */
    public void suspend() {
        lock.lock();
        try {
            current.segments().sealAll();
            current.sendFrees();
            suspension.begin();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets what a thread does that wants to record while recording is suspended: it resumes the machine, instead of waiting for another
     * thread to do so.
     */
    public void resumeBy(Runnable resume) {
        guarded(() -> {
            suspension.resumeBy(resume);
            return null;
        });
    }

    /** Records again, after {@link #suspend}. */
    public void continueRecording() {
        guarded(() -> {
            suspension.end();
            return null;
        });
    }

    /** Returns true if nothing is recorded at present. */
    public boolean isSuspended() {
        return suspension.isOn();
    }

    /**
     * Waits while recording is suspended, or resumes the machine. May release the lock, so call it before anything is read or changed
     * under the lock.
     */
    public void awaitMachine() {
        if (suspension.isOn()) {
            guarded(() -> {
                suspension.await();
                return null;
            });
        }
    }

    // ---- epochs

    /** @param action runs with the lock held when segments were sealed, before values are freed; must not record */
    public void afterSegments(Runnable action) {
        guarded(() -> {
            afterSegments = action;
            return null;
        });
    }

    void sealedSegments() {
        afterSegments.run();
    }

    /** Makes later values have ids after this one. */
    public void continueAfter(long id) {
        guarded(() -> {
            lastId = Math.max(lastId, id);
            firstId = lastId;
            return null;
        });
    }

    /** Begins an epoch: values that are named from now on belong to it, and the values of the epoch before are lost. */
    public void begin(ValueEpoch next) {
        lock.lock();
        try {
            current = next;
            firstId = lastId;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if there is anything to compute for the current epoch. */
    public boolean hasRecorded() {
        return guarded(() -> lastId > firstId);
    }

    private boolean isCurrent(RemoteValue value) {
        return value.epoch() == current;
    }

    /** Returns the id of the next value. Call it with the lock held. */
    public long nextId() {
        return ++lastId;
    }

    /** Returns the id of the latest value; 0 before the first. Call it with the lock held. */
    public long latestId() {
        return lastId;
    }

    // ---- instructions

    public <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders) {
        String source = source();
        lock.lock();
        try {
            awaitTurn(operands);
            RemoteValue[] results = current.segments().append(op, operands, types, source);
            for (int index = 0; index < results.length; index++) {
                holders[index] = holder.apply(results[index]);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the scans that compute the operands, and while recording is suspended. A pause may begin during the first wait. */
    private void awaitTurn(Object[] operands) {
        do {
            suspension.await();
            scans.await(operands);
        } while (suspension.isOn());
    }

    /** Records an instruction with one result, and binds a handle to the result. */
    public void recordInto(ValueHandle target, Op op, Object[] operands, TensorType type) {
        String source = source();
        lock.lock();
        try {
            awaitTurn(operands);
            target.held();
            RemoteValue result = current.segments().append(op, operands, new TensorType[] {type}, source)[0];
            release(exchange(target, result), true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records an instruction without operands for one session of the machine. Fails if another session has begun in place of a lost one.
     * Returns null if the machine was paused since; then the values are the same, and another session has them.
     */
    public RemoteValue record(Op op, TensorType type, ValueHost host) {
        String source = source();
        lock.lock();
        try {
            suspension.await();
            if (current.host() != host) {
                if (host.isPaused()) {
                    return null;
                }
                throw host.loss();
            }
            return current.segments().append(op, new Object[0], new TensorType[] {type}, source)[0];
        } finally {
            lock.unlock();
        }
    }

    /** Returns the line of the program that records, or null if lines are not recorded. Walks the stack, so call it without the lock. */
    public String source() {
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

    // ---- epochs and scans

    /** Returns the values of the present session. Its methods must be called with the lock held. */
    public ValueEpoch epoch() {
        return current;
    }

    // ---- groups

    /** Returns the open scans. Their methods must be called with the lock held. */
    public OpenScans scans() {
        return scans;
    }

    /** Reads something from the value of a handle, after sealing the segment that computes the value. */
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

    /** Runs {@code read} with the lock held. */
    public <T> T guarded(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- handles

    /** Opens a handle that takes over the hold with which a recorded value begins. */
    ValueHandle adopt(Object owner, RemoteValue value) {
        if (lock.isHeldByCurrentThread()) {
            // The recording thread already has the lock. Taking the lock again would cost as much as opening the
            // handle.
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

    /** Opens another handle over the value of a handle. */
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

    @Override
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

    /** Makes a handle hold another value. Returns the value before. Called with the lock held. */
    private RemoteValue exchange(ValueHandle handle, RemoteValue value) {
        return handles.exchange(handle, value);
    }

    /**
     * Makes a handle hold another value. The previous value is not freed, even if nothing holds it: see {@link
     * ValueEpoch#freeIfUnheld}. Called with the lock held.
     */
    public void replace(ValueHandle handle, RemoteValue value) {
        value.holders++;
        exchange(handle, value).holders--;
    }

    @Override
    public void close(ValueHandle handle) {
        lock.lock();
        try {
            close(handle, true);
        } finally {
            lock.unlock();
        }
    }

    /** Closes handles {@code from} to {@code to}, and takes the lock only once. */
    @Override
    public void close(ValueHandle[] closing, int from, int to) {
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

    /** Releases a value that was just recorded. */
    void abandon(RemoteValue value) {
        lock.lock();
        try {
            release(value, true);
        } finally {
            lock.unlock();
        }
    }

    private static void release(RemoteValue value, boolean byProgram) {
        value.epoch().release(value, byProgram);
    }

    // ---- collection and losses

    /** Closes the handles whose owners were collected, seals the segments of ended threads, and tells the machine which values to free. */
    public void collect() {
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

    /**
     * Records that the elements of these values were lost by a fault. Returns the labels of the handles that hold
     * them.
     */
    public List<String> lost(long[] ids) {
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

    /** Records the memory of a machine. Values that are larger no longer count, because the machine will refuse them. */
    public void quota(RemoteMemory memory, long bytes) {
        lock.lock();
        try {
            memory.quota(bytes);
            if (suspension.isOn()) {
                // The machine refuses the whole state if it is too large.
                return;
            }
            current.segments().refuse();
            handles.all().stream()
                    .map(ValueHandle::value)
                    .filter(value -> isCurrent(value) && memory.isTooLarge(value.type()))
                    .forEach(current.account()::lost);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of values that the program has not released yet: 0 if all tensors are closed. */
    public long heldValues() {
        lock.lock();
        try {
            return current.account().heldValues();
        } finally {
            lock.unlock();
        }
    }
}
