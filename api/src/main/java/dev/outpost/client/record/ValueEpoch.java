package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.function.BooleanSupplier;

/**
 * Values that are on a machine together, and are lost together. Guarded by the ledger's lock.
 *
 * <p>A value ends in one of two ways. If the program releases it while an open segment computes or uses it, the structure of the segment
 * contains the release, and the machine may reuse the memory within the segment. If the program releases it later, or the collector found
 * it dead, the client sends the id in a {@code Free} message. The machine gets only one of the two.
 */
public final class ValueEpoch implements ValueOwner {
    private final RecordingState recording;
    private final MemoryAccount account;
    private volatile ValueHost host;
    private SegmentSink sink;
    private final OpenSegments segments;
    private final FreeList frees = new FreeList();
    private final ReadCache reads = new ReadCache();

    /**
     * @param host the session that has the values; for a group, the session that answers questions
     * @param sink takes the segments
     * @param account counts the bytes of its values
     * @param isScoped true if a scope releases what the calling thread creates, so that it never waits for the collector
     */
    public ValueEpoch(
            RecordingState recording,
            ValueHost host,
            SegmentSink sink,
            MemoryAccount account,
            BooleanSupplier isScoped) {
        this.recording = recording;
        this.account = account;
        this.host = host;
        this.sink = sink;
        this.segments = new OpenSegments(this, isScoped);
    }

    /** Moves the values to another session, which has them under the same ids. */
    public void moveTo(ValueHost nextHost, SegmentSink nextSink) {
        host = nextHost;
        sink = nextSink;
    }

    public RecordingState recording() {
        return recording;
    }

    public ValueHost host() {
        return host;
    }

    @Override
    public RecordingOwner owner() {
        return recording.owner();
    }

    @Override
    public boolean isOver() {
        return host.isOver() && !host.isPaused();
    }

    @Override
    public OutpostException loss() {
        return host.loss();
    }

    @Override
    public ValueHandle adopt(Object holder, RemoteValue value) {
        return recording.adopt(holder, value);
    }

    @Override
    public ValueHandle hold(Object holder, RemoteValue value) {
        return recording.hold(holder, value);
    }

    @Override
    public void abandon(RemoteValue value) {
        recording.abandon(value);
    }

    SegmentSink sink() {
        return sink;
    }

    public OpenSegments segments() {
        return segments;
    }

    MemoryAccount account() {
        return account;
    }

    /** Returns the cache of elements that were read from these values. */
    public ReadCache reads() {
        return reads;
    }

    /** Fails if a value belongs to another epoch. The machine would take its id for another value, or end the session. */
    public void requireOwn(RemoteValue value) {
        if (value.epoch() != this) {
            throw refusal(value);
        }
    }

    private OutpostException refusal(RemoteValue value) {
        ValueOwner other = value.epoch();
        if (other.owner() == owner()) {
            return other.loss();
        }
        return new OutpostException(
                FaultKind.USER,
                SourceLine.calledOp() + ": a value of " + other.owner().name() + " is none of " + owner().name());
    }

    /** Makes values for the results of an instruction or a call. {@code bytes} is their total size. */
    public RemoteValue[] name(TensorType[] types, long bytes) {
        RemoteValue[] results = new RemoteValue[types.length];
        for (int index = 0; index < types.length; index++) {
            results[index] = new RemoteValue(this, recording.nextId(), types[index]);
        }
        account.named(types.length, bytes);
        return results;
    }

    /** Makes a value that the machine has already. It begins with one hold. */
    public RemoteValue existing(long id, TensorType type) {
        account.named(1, MemoryAccount.bytes(type));
        return new RemoteValue(this, id, type);
    }

    /**
     * Removes one hold of a value. Only a release by the program may change a segment's structure. A release by the collector must not,
     * because its timing would make equal steps look different.
     */
    @Override
    public void release(RemoteValue value, boolean byProgram) {
        value.holders--;
        if (value.holders > 0) {
            return;
        }
        SegmentRecorder recorder = byProgram ? segments.ofThread() : null;
        if (value.producer != null) {
            releaseResult(value, recorder);
        } else if (value.pins == 0) {
            free(value);
        } else if (value.pins == 1 && recorder != null && recorder.markIfInput(value)) {
            recorder.dropInput(value);
            account.forgotten(value);
            reads.forget(value);
        }
    }

    private void releaseResult(RemoteValue value, SegmentRecorder recorder) {
        if (value.producer == recorder) {
            long bytes = MemoryAccount.countedBytes(value);
            recorder.dropResult(value, bytes);
            account.unnamed(bytes);
        } else if (value.program() == null) {
            account.unheld(value);
        }
    }

    /** Records that an open segment was sealed that has this value as an input. */
    void unpin(RemoteValue value) {
        value.pins--;
        if (isUnwanted(value)) {
            free(value);
        }
    }

    /** Records that the segment that computes this value was sealed. */
    @Override
    public void settle(RemoteValue value) {
        value.producer = null;
        if (!value.dropped && value.holders == 0) {
            account.settled(value);
            free(value);
        }
    }

    private static boolean isUnwanted(RemoteValue value) {
        return value.holders == 0 && value.pins == 0 && !value.dropped;
    }

    /**
     * Drops a value that nothing holds, because the call that takes it as an input ends it. Returns false if it is
     * held.
     */
    public boolean consumeIfUnheld(RemoteValue value) {
        if (!isUnwanted(value)) {
            return false;
        }
        value.dropped = true;
        account.forgotten(value);
        reads.forget(value);
        return true;
    }

    /** Frees a value if nothing holds it. */
    public void freeIfUnheld(RemoteValue value) {
        if (isUnwanted(value)) {
            value.dropped = true;
            free(value);
        }
    }

    private void free(RemoteValue value) {
        frees.add(value.id());
        account.forgotten(value);
        reads.forget(value);
    }

    /** Tells the machine which values it can free. While the machine is paused, the ids are kept. */
    @Override
    public void sendFrees() {
        if (!recording.isSuspended()) {
            recording.sealedSegments();
            frees.drainTo(sink::free);
        }
    }
}
