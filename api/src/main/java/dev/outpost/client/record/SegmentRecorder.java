package dev.outpost.client.record;

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
    /** By instruction; those that are within no signal are not here. */
    private Map<Integer, SignalPlacement> signals = Map.of();
    /** Null unless it makes values of a program known as such, and records nothing itself. */
    private final ProgramTrace program;

    private final Thread thread = Thread.currentThread();

    SegmentRecorder() {
        this(null);
    }

    /** Whether its thread has ended, and adds nothing more. */
    boolean isAbandoned() {
        return !thread.isAlive();
    }

    SegmentRecorder(ProgramTrace program) {
        this.program = program;
    }

    ProgramTrace program() {
        return program;
    }

    /** Where a profile shows it, and since when it is not empty; 0 unless there is one. */
    int track;

    long begunNanos;

    boolean isEmpty() {
        return graph.isEmpty();
    }

    int instructionCount() {
        return graph.instructionCount();
    }

    /** Appends an instruction; its operands are values (of this segment or sealed ones) and scalars, its results take that much. */
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

    /** The latest instruction is computed there. */
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

    /** Whether the open segment has this value as an input. Another thread's segment may have been the last to take it. */
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

    /** Drops a result of the open segment that counts for so much. */
    void dropResult(RemoteValue value, long bytes) {
        value.dropped = true;
        lastingBytes -= bytes;
        graph.drop(value.resultIndex);
    }

    /** Drops an input after the open segment. */
    void dropInput(RemoteValue value) {
        value.dropped = true;
        graph.dropInput(value.inputIndex);
    }

    /** The bytes of its results so far that were not let go of. */
    long lastingBytes() {
        return lastingBytes;
    }

    /** Results that are larger than the machine's memory count no more. */
    void refuse(RemoteMemory memory, MemoryAccount account) {
        for (RemoteValue value : results) {
            if (!value.dropped && !value.lost && memory.isTooLarge(value.type())) {
                lastingBytes -= account.refused(value);
            }
        }
    }

    /** The open segment. Nothing may be added to it until {@link #clear}. */
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

    /** The results of the open segment. */
    List<RemoteValue> results() {
        return results;
    }
}
