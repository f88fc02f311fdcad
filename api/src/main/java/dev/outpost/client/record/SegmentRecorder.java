package dev.outpost.client.record;

import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One thread's open segment. Guarded by the ledger's lock. */
public final class SegmentRecorder {
    private final RecordedGraph graph = new RecordedGraph();
    private List<RemoteValue> inputs = new ArrayList<>();
    private List<RemoteValue> results = new ArrayList<>();
    private long segment;
    private long lastingBytes;
    /** The placement of each instruction that was recorded within a signal, by instruction. */
    private Map<Integer, SignalPlacement> signals = Map.of();
    /** The program whose values have this recorder as their mark; null for a recorder of instructions. */
    private final ProgramTrace program;

    private final Thread thread = Thread.currentThread();

    SegmentRecorder() {
        this(null);
    }

    /** Returns true if the thread has ended, so that nothing more is added. */
    boolean isAbandoned() {
        return !thread.isAlive();
    }

    SegmentRecorder(ProgramTrace program) {
        this.program = program;
    }

    ProgramTrace program() {
        return program;
    }

    /** The profile that has the track; null if nothing is profiled. */
    private SessionProfile profile;
    /** The thread's track in the profile, and the time of the first instruction; 0 if nothing is profiled. */
    int track;

    long begunNanos;

    /** Notes the time of the first instruction. A resumed machine has another profile than before. */
    void begin(SessionProfile by) {
        if (profile != by) {
            profile = by;
            track = by.track();
        }
        begunNanos = by.now();
    }

    boolean isEmpty() {
        return graph.isEmpty();
    }

    int instructionCount() {
        return graph.instructionCount();
    }

    /**
     * Appends an instruction. Its operands are scalars and values of this segment or of sealed ones; {@code bytes} is the size of its
     * results.
     */
    void append(Op op, Object[] operands, RemoteValue[] computed, long bytes) {
        lastingBytes += bytes;
        for (Object operand : operands) {
            switch (operand) {
                case RemoteValue value -> appendOperand(value);
                case Scalar scalar -> graph.immediate(scalar);
                default -> throw new IllegalArgumentException("no operand: " + operand);
            }
        }
        int first = graph.finish(op, computed[0].id(), computed.length);
        for (int index = 0; index < computed.length; index++) {
            computed[index].producer = this;
            computed[index].resultIndex = first + index;
            results.add(computed[index]);
        }
    }

    /** Places the latest instruction. */
    void signal(SignalPlacement placement) {
        if (signals.isEmpty()) {
            signals = new HashMap<>();
        }
        signals.put(instructionCount() - 1, placement);
    }

    void source(String line) {
        graph.source(line);
    }

    private void appendOperand(RemoteValue value) {
        if (value.producer == this) {
            graph.result(value.resultIndex);
        } else {
            graph.input(inputIndex(value));
        }
    }

    private int inputIndex(RemoteValue value) {
        if (!markIfInput(value)) {
            consume(value, graph.addInput(value.id()));
            value.pins++;
            inputs.add(value);
        }
        return value.inputIndex;
    }

    private void consume(RemoteValue value, int index) {
        value.consumer = this;
        value.consumerSegment = segment;
        value.inputIndex = index;
    }

    /**
     * Returns true if the open segment has this value as an input. The segment of another thread may have been the last to take it as an
     * input.
     */
    boolean markIfInput(RemoteValue value) {
        if (value.consumer == this && value.consumerSegment == segment) {
            return true;
        }
        int index = value.pins == 0 ? -1 : inputs.indexOf(value);
        if (index >= 0) {
            consume(value, index);
        }
        return index >= 0;
    }

    /** Drops a result of the open segment. {@code bytes} is the size with which the result was counted. */
    void dropResult(RemoteValue value, long bytes) {
        value.dropped = true;
        lastingBytes -= bytes;
        graph.drop(value.resultIndex);
    }

    /** Marks an input as freed after the open segment. */
    void dropInput(RemoteValue value) {
        value.dropped = true;
        graph.dropInput(value.inputIndex);
    }

    /** Returns the bytes of the results that were not released. */
    long lastingBytes() {
        return lastingBytes;
    }

    /** Stops counting results that are larger than the machine's memory. */
    void refuse(RemoteMemory memory, MemoryAccount account) {
        for (RemoteValue value : results) {
            if (!value.dropped && !value.lost && memory.isTooLarge(value.type())) {
                lastingBytes -= account.refused(value);
            }
        }
    }

    /** Returns the open segment. Nothing may be added to it until {@link #clear}. */
    SealedSegment seal(SegmentTimes times) {
        return new SealedSegment(graph, inputs, signals, lastingBytes, times);
    }

    /** Begins another segment. */
    void clear() {
        graph.clear();
        inputs = new ArrayList<>();
        results = new ArrayList<>();
        signals = Map.of();
        lastingBytes = 0;
        segment++;
    }

    /** Returns the results of the open segment. */
    List<RemoteValue> results() {
        return results;
    }
}
