package dev.outpost.runtime.plan;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** One run of a plan on an engine, task by task, without a session: each value has its own memory, which is initially full of garbage. */
final class PlanRun {
    private final Engine engine;
    private final Graph graph;
    private final Plan plan;
    private final Map<Integer, Instruction> byPlace = new HashMap<>();
    private final Map<Integer, Array> values = new HashMap<>();

    /** @param inputs an array for each of the graph's inputs */
    PlanRun(Engine engine, Planner planner, Graph graph, List<Array> inputs) {
        this.engine = engine;
        this.graph = graph;
        this.plan = planner.plan(graph, false);
        graph.instructions().forEach(instruction -> byPlace.put(instruction.index(), instruction));
        for (int input = 0; input < inputs.size(); input++) {
            values.put(input, inputs.get(input));
        }
    }

    /** The number of tasks that launch kernels. */
    long kernels() {
        return plan.tasks().stream().filter(task -> task.kernel() != null).count();
    }

    void run() {
        plan.tasks().forEach(this::run);
    }

    private void run(Task task) {
        Instruction first = byPlace.get(task.instructions()[0]);
        if (first.op() instanceof AsStrided view) {
            Array base = values.get(plan.slot(first.operand(0)));
            values.put(first.result(0), new Array(base.buffer(), view.layout()));
            return;
        }
        Kernel kernel = task.kernel();
        Array[] operands = task.isFused()
                ? task.operands().stream()
                        .map(operand -> operand(byPlace.get(operand.instruction()), operand.position()))
                        .toArray(Array[]::new)
                : operands(first);
        int[] results = task.isFused() ? task.results() : results(first);
        for (int result : results) {
            values.put(result, unwritten(graph.type(result)));
        }
        Array[] targets = Arrays.stream(results).mapToObj(values::get).toArray(Array[]::new);
        kernel.run(
                byPlace.get(task.instructions()[task.instructions().length - 1]).op(), operands, targets);
    }

    private static int[] results(Instruction instruction) {
        return IntStream.range(0, instruction.resultCount())
                .map(instruction::result)
                .toArray();
    }

    private Array[] operands(Instruction instruction) {
        Array[] operands = new Array[instruction.operandCount()];
        Arrays.setAll(operands, position -> operand(instruction, position));
        return operands;
    }

    private Array operand(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? number(instruction.immediate(position)) : values.get(plan.slot(value));
    }

    private Array number(Scalar number) {
        HeapBuffer element = HeapBuffer.allocate(number.dtype(), 1);
        if (number.dtype().isFloating()) {
            element.setDouble(0, number.asDouble());
        } else {
            element.setLong(0, number.asLong());
        }
        return new TestOperand(element, Layout.contiguous(Shape.SCALAR)).on(engine);
    }

    private Array unwritten(TensorType type) {
        EngineBuffer buffer = engine.allocate(type.dtype(), type.shape().elements());
        byte[] garbage = new byte[Math.toIntExact(type.bytes())];
        Arrays.fill(garbage, (byte) 0x5b);
        engine.write(buffer, 0, new Slice(garbage));
        return Array.contiguous(buffer, type.shape());
    }

    /** The bytes of each value that outlives the segment. */
    Map<Integer, byte[]> outputs() {
        Map<Integer, byte[]> outputs = new TreeMap<>();
        int inputs = graph.structure().inputCount();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            if (graph.structure().isKept(result)) {
                Array array = values.get(plan.slot(inputs + result));
                outputs.put(inputs + result, engine.read(array, 0, (int)
                        array.shape().elements()));
            }
        }
        return outputs;
    }
}
