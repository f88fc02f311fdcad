package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Op;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;

/**
 * One run of an op, by which engines are compared.
 *
 * @param length the number of terms of an element of the result, 0 for few, {@link #EXACTLY} for no tolerance
 * @param magnitude the largest absolute value of a term
 */
public record Case(Op op, List<TestOperand> operands, long length, double magnitude) {
    /** A length that stands for equality. */
    public static final long EXACTLY = -1;

    public static Case of(Op op, TestOperand... operands) {
        return new Case(op, List.of(operands), 0, 0);
    }

    public static Case accumulating(long length, double magnitude, Op op, TestOperand... operands) {
        return new Case(op, List.of(operands), length, magnitude);
    }

    /** The same run, with exact equality required. */
    public Case exactly() {
        return new Case(op, operands, EXACTLY, 0);
    }

    public TensorType[] types() {
        return operands.stream().map(TestOperand::type).toArray(TensorType[]::new);
    }

    @Override
    public String toString() {
        return op + " of " + Arrays.toString(operands.toArray());
    }
}
