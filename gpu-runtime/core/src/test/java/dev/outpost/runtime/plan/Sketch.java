package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;

/**
 * Records graphs whose values are referred to by their numbers in the graph. Inputs have the first numbers, so they must be declared first.
 */
public final class Sketch {
    private final GraphBuilder graph = new GraphBuilder();

    public int input(TensorType type) {
        return graph.input(type);
    }

    /** Adds an input that is not used after the segment. */
    public int dyingInput(TensorType type) {
        int input = input(type);
        drop(input);
        return input;
    }

    /** Records an op and returns its first result. Operands are numbers of values, or {@link Scalar}s. */
    public int op(Op op, Object... operands) {
        int[] values = new int[operands.length];
        Scalar[] numbers = new Scalar[operands.length];
        for (int position = 0; position < operands.length; position++) {
            switch (operands[position]) {
                case Scalar number -> {
                    values[position] = Instruction.IMMEDIATE;
                    numbers[position] = number;
                }
                case Integer value -> values[position] = value;
                default -> throw new IllegalArgumentException("neither a value nor a number: " + operands[position]);
            }
        }
        return graph.add(op, values, numbers).result(0);
    }

    public Sketch drop(int... values) {
        for (int value : values) {
            graph.drop(value);
        }
        return this;
    }

    public TensorType type(int value) {
        return graph.type(value);
    }

    public Graph graph() {
        return graph.build();
    }
}
