package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/** Records graphs whose values are named by their numbers in the graph: inputs first, so those are to be declared first. */
public final class Sketch {
    private final SegmentWriter writer = new SegmentWriter();
    private final List<TensorType> inputs = new ArrayList<>();
    private int results;

    public int input(TensorType type) {
        inputs.add(type);
        return writer.addInput(inputs.size());
    }

    /** An input that nobody asks for once the segment has run. */
    public int dyingInput(TensorType type) {
        int input = input(type);
        writer.dropInput(input);
        return input;
    }

    /** The answer is the first result. Operands are numbers of values, or {@link Scalar}s. */
    public int op(Op op, Object... operands) {
        return op(1, op, operands);
    }

    public int op(int count, Op op, Object... operands) {
        writer.begin(op, operands.length);
        for (Object operand : operands) {
            switch (operand) {
                case Scalar number -> writer.immediate(number);
                case Integer value when value < inputs.size() -> writer.input(value);
                case Integer value -> writer.result(value - inputs.size());
                default -> throw new IllegalArgumentException("neither a value nor a number: " + operand);
            }
        }
        results += count;
        return inputs.size() + writer.finish(op, 1_000 + results, count);
    }

    public Sketch drop(int... values) {
        for (int value : values) {
            writer.drop(value - inputs.size());
        }
        return this;
    }

    public Graph graph() {
        return Segment.read(writer.toByteArray()).graph(inputs.toArray(TensorType[]::new));
    }
}
