package dev.outpost.protocol.op;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;

/**
 * A batch of matrix products, {@code [batch, m, k] x [batch, k, n] -> [batch, m, n]}, of one dtype. A batch that is
 * broadcast comes as a view with stride 0. 16-bit floats accumulate in float32. Cannot be composed: a product and a sum
 * would hold m·k·n elements.
 */
public record Matmul() implements Op {
    static final int CODE = 164;

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "matmul";
    }

    @Override
    public int arity() {
        return 2;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        Shape left = operands[0].shape();
        Shape right = operands[1].shape();
        if (left.rank() != 3 || right.rank() != 3 || left.size(0) != right.size(0)) {
            throw new OpException(label(), "two batches of as many matrices are needed, got " + left + " and " + right);
        }
        if (left.size(2) != right.size(1)) {
            throw new OpException(label(), "inner dimensions differ, got " + left + " and " + right);
        }
        return Op.one(operands[0].dtype(), Shape.of(left.size(0), left.size(1), right.size(2)));
    }
}
