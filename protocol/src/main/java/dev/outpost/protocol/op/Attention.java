package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * {@code softmax(scale · q · kᵀ + mask) · v}, head by head. Operands are the query {@code [batch, heads, queries, features]}, key
 * {@code [batch, groups, keys, features]}, value {@code [batch, groups, keys, value features]} and perhaps a mask that broadcasts to
 * {@code [batch, heads, queries, keys]}: bool, true for visible keys, or numbers of the query's dtype that are added. Neighbouring
 * heads share a group of keys and values.
 *
 * <p>The first result is {@code [batch, heads, queries, value features]}. The second one has the logarithm of the sum of each query's
 * exponentials of scores ({@code [batch, heads, queries]}, in the dtype of the accumulator). A gradient computes the weights again from this result.
 * Weights may be rounded to the dtype before they are multiplied. A query that sees no key has NaN as its result, and minus infinity as its
 * logarithm. A key or value that no query sees may affect the result if it is not finite. This depends on the engine. It is a primitive,
 * because a composition would store a weight for every pair of a query and a key.
 *
 * @param causal (structure) true if a query sees only the keys up to its own number
 * @param scale (data) the factor of the products of queries and keys
 */
public record Attention(boolean causal, double scale) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(200, "scaled_dot_product_attention", VARIADIC);

    private static final int OPERANDS = 3;

    static Attention read(AttributeReader in) {
        return new Attention(in.flag(), in.real());
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
        return new TensorType[] {
            new TensorType(query.dtype(), AttentionOperands.output(query.shape(), operands[2].shape())),
            new TensorType(accumulator(query.dtype()), AttentionOperands.rows(query.shape()))
        };
    }

    /** Returns the dtype of the accumulator: float32 for 16-bit floats. */
    public static DType accumulator(DType dtype) {
        return dtype == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
    }

    /** Returns the shape {@code [batch, heads, queries, keys]}, to which a mask broadcasts. */
    public static Shape scores(Shape query, Shape key) {
        return AttentionOperands.scores(query, key);
    }

    /** Returns the number of heads that share a group of keys and values. */
    public static long headsOfGroup(Shape query, Shape key) {
        return key.size(1) == 0 ? 0 : query.size(1) / key.size(1);
    }
}
