package dev.outpost.client.record;

import dev.outpost.client.numbers.LiveScalar;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The open segments of all threads. Guarded by the ledger's lock.
 *
 * <p>Invariant: a value's segment is sealed before any other that uses the value, and before its free.
 */
public final class OpenSegments {
    /** Never changed. */
    private static final BitSet NO_VIEWS = new BitSet();

    private final ValueEpoch epoch;
    private final MemoryAccount account;
    private final int maxInstructions;
    /** True if the calling thread is inside a scope of the machine. */
    private final BooleanSupplier isScoped;

    private final ThreadLocal<SegmentRecorder> current = ThreadLocal.withInitial(this::newRecorder);
    /** The recorders of all threads that live or whose segment is not sealed yet. */
    private final Set<SegmentRecorder> recorders = new HashSet<>();

    OpenSegments(ValueEpoch epoch, BooleanSupplier isScoped) {
        this.epoch = epoch;
        this.account = epoch.account();
        this.maxInstructions = epoch.host().settings().maxSegmentInstructions();
        this.isScoped = isScoped;
    }

    private SegmentRecorder newRecorder() {
        SegmentRecorder recorder = new SegmentRecorder(null);
        recorders.add(recorder);
        return recorder;
    }

    /** Returns the profile of the present session; null if nothing is profiled. */
    private SessionProfile profile() {
        return epoch.host().profile();
    }

    private RemoteMemory memory() {
        return epoch.host().memory();
    }

    /** Returns the recorder of the calling thread. */
    SegmentRecorder ofThread() {
        return current.get();
    }

    // ---- appending

    /**
     * Appends an instruction to this thread's segment.
     *
     * @param operands scalars, values and {@link StoredOperand}s; overwritten
     * @param source the line of the program, or null
     */
    public RemoteValue[] append(Op op, Object[] operands, TensorType[] types, String source) {
        BitSet views = NO_VIEWS;
        try {
            for (int position = 0; position < operands.length; position++) {
                if (operands[position] instanceof StoredOperand stored) {
                    RemoteValue value = stored.storage().handle().held();
                    operands[position] = value;
                    if (!stored.isAsItStands(value)) {
                        operands[position] = view(value, stored.layout(), source);
                        views = with(views, position);
                    }
                } else if (operands[position] instanceof LiveScalar live) {
                    operands[position] = live.scalar();
                }
            }
            return appendResolved(op, operands, types, source);
        } finally {
            if (views != NO_VIEWS) {
                views.stream().forEach(position -> epoch.release((RemoteValue) operands[position], true));
            }
        }
    }

    private static BitSet with(BitSet positions, int position) {
        BitSet more = positions == NO_VIEWS ? new BitSet() : positions;
        more.set(position);
        return more;
    }

    /** Records an instruction for the view of an operand. Creating a view records nothing. */
    private RemoteValue view(RemoteValue value, Layout layout, String source) {
        AsStrided view = new AsStrided(layout);
        return appendResolved(view, new Object[] {value}, view.infer(value.type()), source)[0];
    }

    private RemoteValue[] appendResolved(Op op, Object[] operands, TensorType[] types, String source) {
        SegmentRecorder recorder = current.get();
        long bytes = MemoryAccount.bytes(types);
        memory().requireHoldable(types, bytes);
        sealProducers(operands, recorder);
        SessionProfile profile = profile();
        if (profile != null && recorder.isEmpty()) {
            recorder.begin(profile);
        }
        RemoteValue[] results = epoch.name(types, bytes);
        recorder.append(op, operands, results, bytes);
        if (source != null) {
            recorder.source(source);
        }
        SignalPlacement signal = ActiveSignal.placement(epoch.recording().owner());
        if (signal != null) {
            recorder.signal(signal);
        }
        epoch.sink().recorded(op, operands, results);
        if (isLongEnough(recorder)) {
            seal(recorder);
        }
        return results;
    }

    /**
     * Returns true if the segment must be sealed now: it has the maximum number of instructions, or its results are
     * large and no scope frees them. Outside of scopes, garbage is freed only after the collector finds it, and
     * garbage of an open segment only after sealing.
     */
    private boolean isLongEnough(SegmentRecorder recorder) {
        return recorder.instructionCount() >= maxInstructions
                || memory().isLarge(recorder.lastingBytes()) && !isScoped.getAsBoolean();
    }

    /** Seals the open segments of other threads that compute an operand, so that they are sent before the segment that uses it. */
    private void sealProducers(Object[] operands, SegmentRecorder recorder) {
        for (Object operand : operands) {
            if (operand instanceof RemoteValue value) {
                epoch.requireOwn(value);
                if (value.producer != null && value.producer != recorder) {
                    sealProducer(value);
                }
            }
        }
    }

    // ---- sealing

    /** Seals the segment that computes a value, if one is open. */
    public void sealProducer(RemoteValue value) {
        if (value.producer == null) {
            return;
        }
        if (value.program() != null) {
            throw new OutpostException(
                    FaultKind.USER,
                    "program: a tensor of " + value.type()
                            + " that a program made while it was traced is no value; return it from the program");
        }
        seal(value.producer);
    }

    public void sealOfThread() {
        seal(current.get());
    }

    void sealAll() {
        List.copyOf(recorders).forEach(this::seal);
    }

    /** Seals the segments of threads that have ended. Otherwise they would never be sent, and their inputs never freed. */
    void sealAbandoned() {
        for (Iterator<SegmentRecorder> each = recorders.iterator(); each.hasNext(); ) {
            SegmentRecorder recorder = each.next();
            if (recorder.isAbandoned()) {
                seal(recorder);
                each.remove();
            }
        }
    }

    private void seal(SegmentRecorder recorder) {
        if (recorder.isEmpty()) {
            return;
        }
        SessionProfile profile = profile();
        long sealing = profile == null ? 0 : profile.now();
        // The machine frees these values before it runs this segment, which may need their memory.
        epoch.sendFrees();
        List<RemoteValue> results = recorder.results();
        SealedSegment sealed =
                recorder.seal(profile == null ? null : new SegmentTimes(recorder.track, recorder.begunNanos, sealing));
        sealed.inputs().forEach(epoch::unpin);
        results.forEach(epoch::settle);
        epoch.sink().segment(sealed);
        recorder.clear();
        epoch.sendFrees();
    }

    // ---- the machine's memory

    /** Stops counting results of open segments that are larger than the machine's memory, because the machine will refuse them. */
    void refuse() {
        recorders.forEach(recorder -> recorder.refuse(memory(), account));
    }
}
