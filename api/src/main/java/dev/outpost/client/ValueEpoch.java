package dev.outpost.client;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.function.BooleanSupplier;

/**
 * Values that are on a machine together, and are lost together. Guarded by the ledger's lock.
 *
 * <p>A value ends in one of three ways. The program lets go of it while its segment is open: the segment says so, as
 * part of its structure, and the machine may reuse the memory within. It lets go later, or the collector found that it
 * had: the id travels in a {@code Free} beside the segments. In either case it is said once.
 */
public final class ValueEpoch {
    private final RecordingState recording;
    private final MachineSession session;
    private final MemoryAccount account;
    private final SessionDelivery delivery;
    private final OpenSegments segments;
    private final FreeList frees = new FreeList();
    private final ReadCache reads = new ReadCache();

    /**
     * @param account of what its values take
     * @param isScoped whether what this thread makes is let go of by a scope, and so never waits for the collector
     */
    public ValueEpoch(
            RecordingState recording, MachineSession session, MemoryAccount account, BooleanSupplier isScoped) {
        this(recording, session, session.delivery(), account, isScoped);
    }

    /**
     * As the other, of values that are on several machines.
     *
     * @param session the one that answers
     * @param delivery to all of them
     */
    public ValueEpoch(
            RecordingState recording,
            MachineSession session,
            SessionDelivery delivery,
            MemoryAccount account,
            BooleanSupplier isScoped) {
        this.recording = recording;
        this.session = session;
        this.delivery = delivery;
        this.account = account;
        this.segments = new OpenSegments(this, isScoped);
    }

    RecordingState ledger() {
        return recording;
    }

    MachineSession machine() {
        return session;
    }

    SessionDelivery delivery() {
        return delivery;
    }

    OpenSegments segments() {
        return segments;
    }

    MemoryAccount account() {
        return account;
    }

    /** The cache of elements that were read from its values. */
    ReadCache reads() {
        return reads;
    }

    /** Fails for a value that is not there: the machine would take its number for one of its own values, or end the session. */
    void requireOwn(RemoteValue value) {
        if (value.generation() != this) {
            throw refusal(value);
        }
    }

    private OutpostException refusal(RemoteValue value) {
        ValueEpoch other = value.generation();
        if (other.recording == recording) {
            return other.session.loss();
        }
        return new OutpostException(
                FaultKind.USER,
                SourceLine.calledOp() + ": a value of " + other.recording.name() + " is none of " + recording.name());
    }

    /** Names the results of an instruction or a call, which take so much. */
    RemoteValue[] name(TensorType[] types, long bytes) {
        RemoteValue[] results = new RemoteValue[types.length];
        for (int index = 0; index < types.length; index++) {
            results[index] = new RemoteValue(this, recording.nextId(), types[index]);
        }
        account.named(types.length, bytes);
        return results;
    }

    /**
     * One holder less. Only what the program itself lets go of may enter a segment's structure: the collector's timing
     * would make equal steps look different.
     */
    void release(RemoteValue value, boolean byProgram) {
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

    /** An open segment that had it as an input was sealed. */
    void unpin(RemoteValue value) {
        value.pins--;
        if (isUnwanted(value)) {
            free(value);
        }
    }

    /** The segment that computes it was sealed. */
    void settle(RemoteValue value) {
        value.producer = null;
        if (!value.dropped && value.holders == 0) {
            account.settled(value);
            free(value);
        }
    }

    static boolean isUnwanted(RemoteValue value) {
        return value.holders == 0 && value.pins == 0 && !value.dropped;
    }

    void free(RemoteValue value) {
        frees.add(value.id());
        account.forgotten(value);
        reads.forget(value);
    }

    /** Tells the machine what it need not keep any more. */
    void sendFrees() {
        frees.drainTo(delivery::free);
    }
}
