package dev.outpost.client.program;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.numbers.RunScalar;
import dev.outpost.client.record.ActiveSignal;
import dev.outpost.client.record.ProgramTrace;
import dev.outpost.client.record.ProgramValues;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueEpoch;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes the instructions of a program while it is traced. Its values stand for the values of each call. They are on no machine, and
 * nothing else may use them. Not thread-safe.
 */
final class ProgramWriter {
    private final Recorder home;
    private final boolean traces;
    private final RecordedGraph graph = new RecordedGraph();

    private final ProgramValues values;
    private final List<RemoteValue> inputs = new ArrayList<>();
    private final List<RemoteValue> results = new ArrayList<>();
    private final List<ProgramSignature.Place> numbers = new ArrayList<>();
    private final List<Integer> draws = new ArrayList<>();
    private final Map<Integer, SignalPlacement> signals = new HashMap<>();

    /** @param trace the program whose instructions these are */
    ProgramWriter(Recorder home, ValueEpoch epoch, boolean traces, ProgramTrace trace) {
        this.home = home;
        this.traces = traces;
        this.values = new ProgramValues(epoch, trace);
    }

    /** Adds an input; the returned value stands for the value of each call. */
    RemoteValue input(TensorType type) {
        RemoteValue value = values.input(inputs.size(), type);
        graph.addInput(value.id());
        inputs.add(value);
        return value;
    }

    /** Returns the index of an input, or -1 for a computed value. */
    int inputIndex(RemoteValue value) {
        int index = values.inputIndex(value);
        return index < inputs.size() && inputs.get(index) == value ? index : -1;
    }

    /**
     * Records an instruction.
     *
     * @param operands values of this program, scalars and {@link RunScalar}s
     */
    RemoteValue[] record(Op op, Object[] operands, TensorType[] types) {
        for (int position = 0; position < operands.length; position++) {
            write(position, operands[position]);
        }
        if (op instanceof Random) {
            draws.add(graph.instructionCount());
        }
        int first = graph.finish(op, 1, types.length);
        SignalPlacement signal = ActiveSignal.placement(home);
        if (signal != null) {
            signals.put(graph.instructionCount() - 1, signal);
        }
        if (traces) {
            graph.source(SourceLine.ofCaller());
        }
        RemoteValue[] computed = new RemoteValue[types.length];
        for (int index = 0; index < types.length; index++) {
            computed[index] = values.result(first + index, types[index]);
            results.add(computed[index]);
        }
        return computed;
    }

    private void write(int position, Object operand) {
        switch (operand) {
            case RemoteValue value -> {
                requireOwn(value);
                int input = inputIndex(value);
                if (input < 0) {
                    graph.result(values.resultIndex(value));
                } else {
                    graph.input(input);
                }
            }
            case Scalar scalar -> graph.immediate(scalar);
            case RunScalar live -> {
                graph.immediate(live.scalar());
                numbers.add(new ProgramSignature.Place(graph.instructionCount(), position, live.column()));
            }
            default -> throw new IllegalArgumentException("no operand: " + operand);
        }
    }

    private void requireOwn(RemoteValue value) {
        if (!values.owns(value)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "program: a tensor of " + value.type()
                            + " that another program made while it was traced is no value");
        }
    }

    /** Returns the number of random draws that have been recorded. */
    int draws() {
        return draws.size();
    }

    /**
     * Ends the recording.
     *
     * @param columns the number of different numbers that each run gets
     * @param outputs the values that the signature describes; an output is named by its value
     */
    RemoteProgram finish(int columns, ProgramOutputs outputs) {
        boolean[] kept = new boolean[results.size()];
        outputs.values().forEach(value -> kept[values.resultIndex(value)] = true);
        int[] outputOf = new int[results.size()];
        int count = 0;
        for (int result = 0; result < kept.length; result++) {
            outputOf[result] = count;
            count += kept[result] ? 1 : 0;
            if (!kept[result]) {
                graph.drop(result);
            }
        }
        IntStream.range(0, inputs.size()).forEach(graph::dropInput);
        ProgramSignature signature = new ProgramSignature(
                List.copyOf(numbers),
                columns,
                draws.stream().mapToInt(Integer::intValue).toArray(),
                outputs.iterationInput() == null ? ProgramSignature.NONE : values.inputIndex(outputs.iterationInput()),
                outputs.carries().entrySet().stream()
                        .map(carry -> new ProgramSignature.Carry(
                                values.inputIndex(carry.getKey()), outputOf[values.resultIndex(carry.getValue())]))
                        .toList(),
                outputs.stop() == null ? ProgramSignature.NONE : outputOf[values.resultIndex(outputs.stop())],
                indices(outputs.emitted(), outputOf),
                indices(outputs.bound(), outputOf));
        byte[] code = ProgramCode.write(SegmentWriter.of(graph), signature);
        requireSize(code.length);
        TensorType[] types = outputs.bound().stream().map(RemoteValue::type).toArray(TensorType[]::new);
        return new RemoteProgram(home, graph, code, signature, types, signals);
    }

    private int[] indices(List<RemoteValue> outputs, int[] outputOf) {
        return outputs.stream()
                .mapToInt(output -> outputOf[values.resultIndex(output)])
                .toArray();
    }

    private void requireSize(int bytes) {
        if (inputs.size() > ProgramSlots.MAX_INPUTS) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "program: " + inputs.size() + " inputs and captured tensors are over " + ProgramSlots.MAX_INPUTS);
        }
        if (graph.instructionCount() > ProgramSlots.MAX_INSTRUCTIONS || bytes > ProgramSlots.MAX_BYTES) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "program: " + graph.instructionCount() + " instructions of " + bytes + " bytes are over "
                            + ProgramSlots.MAX_INSTRUCTIONS + " or " + ProgramSlots.MAX_BYTES
                            + "; make several programs of it");
        }
    }
}
