package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The gradients of {@link Attention} to its query, key and value: three results, of their types. Operands are query, key
 * and value, the gradient of the output, the logarithms {@code l} of the attention's second result, {@code d}, and the mask if there
 * was one. With the weights {@code p = exp(scale · q · kᵀ + mask - l)} and {@code s = p (gradient · vᵀ - d)},
 *
 * <pre>{@code scale · s · k        scale · sᵀ · q        pᵀ · gradient}</pre>
 *
 * where {@code d} is the sum over a query's features of the gradient times the output, less the gradient of {@code l}:
 * attention is a function of both. Keys that a bool mask or causality hides have neither weight nor gradient. It is a primitive for
 * the same reason as attention.
 *
 * @param causal (structure) as in {@link Attention}
 * @param scale (data) as in {@link Attention}
 */
public record AttentionGradient(boolean causal, double scale) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(201, "scaled_dot_product_attention_gradient", VARIADIC);

    private static final int OPERANDS = 6;

    static AttentionGradient read(AttributeReader in) {
        return new AttentionGradient(in.flag(), in.real());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.flag(causal);
        out.real(scale);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        AttentionOperands.require(this, OPERANDS, operands);
        TensorType query = operands[0];
        Shape output = AttentionOperands.output(query.shape(), operands[2].shape());
        require("the gradient", new TensorType(query.dtype(), output), operands[3]);
        DType sums = Attention.accumulator(query.dtype());
        TensorType rows = new TensorType(sums, AttentionOperands.rows(query.shape()));
        require("the logarithms", rows, operands[4]);
        require("the sums", rows, operands[5]);
        return new TensorType[] {query, operands[1], operands[2]};
    }

    private void require(String what, TensorType expected, TensorType actual) {
        if (!expected.equals(actual)) {
            throw new OpException(label(), what + " must be " + expected + ", got " + actual);
        }
    }
}
