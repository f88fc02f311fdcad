package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * A matrix product, {@code [m, k] x [k, n] -> [m, n]}, or a batch of them, {@code [batch, m, k] x [batch, k, n] -> [batch, m, n]}, of
 * one dtype. A broadcast batch is a view with stride 0. 16-bit floats accumulate in float32. It is a primitive, because a product and a
 * sum would store m·k·n elements.
 */
public record Matmul() implements Op {
    static final OpSignature SIGNATURE = new OpSignature(164, "matmul", 2);

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        Shape left = operands[0].shape();
        Shape right = operands[1].shape();
        int rank = left.rank();
        if (!areMatrices(left, right) && !areBatches(left, right)) {
            throw new OpException(
                    label(), "two matrices or batches of as many are needed, got " + left + " and " + right);
        }
        if (left.size(rank - 1) != right.size(rank - 2)) {
            throw new OpException(label(), "inner dimensions differ, got " + left + " and " + right);
        }
        return Op.oneLike(operands[0], operands[0].dtype(), product(left, right));
    }

    private static boolean areMatrices(Shape left, Shape right) {
        return left.rank() == 2 && right.rank() == 2;
    }

    private static boolean areBatches(Shape left, Shape right) {
        return left.rank() == 3 && right.rank() == 3 && left.size(0) == right.size(0);
    }

    private static Shape product(Shape left, Shape right) {
        int columns = left.rank() - 1;
        if (left.size(columns) == right.size(columns)) {
            return left;
        }
        return left.rank() == 2
                ? Shape.of(left.size(0), right.size(1))
                : Shape.of(left.size(0), left.size(1), right.size(2));
    }
}
