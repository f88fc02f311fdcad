package dev.outpost.internal.publish;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * A published program on a machine. The captured values are uploaded once, and each trace is a program on the machine. Thread-safe;
 * calls run one after the other.
 */
public final class StoredProgram implements AutoCloseable {
    private final RemoteMachine machine;
    private final ProgramFile file;
    private final List<Tensor> captured;
    private final List<Program> programs;

    private StoredProgram(RemoteMachine machine, ProgramFile file) {
        this.machine = machine;
        this.file = file;
        this.captured = file.captured().stream().map(machine::tensor).toList();
        this.programs = file.traces().stream().map(this::program).toList();
    }

    /** Uploads the captured values. */
    public static StoredProgram load(RemoteMachine machine, ProgramFile file) {
        return new StoredProgram(machine, file);
    }

    public ProgramFile file() {
        return file;
    }

    /** Runs each trace once, with zeros, so that later calls are fast. Waits. */
    public synchronized void warmUp() {
        for (int trace = 0; trace < programs.size(); trace++) {
            run(trace, zeros(file.traces().get(trace).inputs()));
        }
    }

    private static List<HostTensor> zeros(List<TensorType> types) {
        return types.stream()
                .map(type -> HostTensor.ofBytes(type.dtype(), type.shape(), new byte[Math.toIntExact(type.bytes())]))
                .toList();
    }

    /**
     * Calls the program and waits for the results.
     *
     * @param inputs the inputs, with the types of one of the traces
     */
    public synchronized List<HostTensor> call(List<HostTensor> inputs) {
        List<TensorType> types = inputs.stream()
                .map(input -> new TensorType(input.dtype(), input.shape()))
                .toList();
        for (int trace = 0; trace < programs.size(); trace++) {
            if (file.traces().get(trace).inputs().equals(types)) {
                return run(trace, inputs);
            }
        }
        throw new IllegalArgumentException("program: expected " + file.inputs() + ", got " + types);
    }

    private List<HostTensor> run(int trace, List<HostTensor> inputs) {
        try (Scope scope = machine.scope()) {
            Tensor[] given = inputs.stream().map(machine::tensor).toArray(Tensor[]::new);
            return programs.get(trace).call(given).stream().map(Tensor::toHost).toList();
        }
    }

    private Program program(StoredTrace trace) {
        Graph graph = file.graph(trace);
        return machine.program(inputs -> replay(trace, graph, inputs));
    }

    /** Records the instructions of a trace again. */
    private List<Tensor> replay(StoredTrace trace, Graph graph, List<Tensor> inputs) {
        TensorDevice device = TensorDevice.of(machine);
        Recorder recorder = device.recorder().current();
        Tensor[] sources = trace.sources().stream()
                .map(source -> source >= 0 ? inputs.get(source) : captured.get(StoredTrace.captured(source)))
                .toArray(Tensor[]::new);
        RemoteValue[] values = new RemoteValue[graph.valueCount()];
        for (int input = 0; input < sources.length; input++) {
            values[input] = recorder.value(States.cell(sources[input]));
        }
        graph.instructions().forEach(instruction -> record(recorder, instruction, values));
        List<Tensor> answers = new ArrayList<>();
        for (int output : trace.outputs()) {
            answers.add(output < sources.length ? sources[output] : (Tensor) device.sharing(values[output]));
        }
        return answers;
    }

    private static void record(Recorder recorder, Instruction instruction, RemoteValue[] values) {
        Object[] operands = new Object[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int value = instruction.operand(position);
            operands[position] = value == Instruction.IMMEDIATE ? instruction.immediate(position) : values[value];
        }
        TensorType[] types = new TensorType[instruction.resultCount()];
        for (int result = 0; result < types.length; result++) {
            types[result] = instruction.resultType(result);
        }
        RemoteValue[] results = new RemoteValue[types.length];
        recorder.record(instruction.op(), operands, types, value -> value, results);
        System.arraycopy(results, 0, values, instruction.result(0), results.length);
    }

    @Override
    public void close() {
        programs.forEach(Program::close);
        captured.forEach(Tensor::close);
    }
}
