package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Scaled dot-product attention (Vaswani et al., 2017). */
public final class ScaledDotProductAttention {
    private static final String OP = "scaled_dot_product_attention";

    private final AttentionShapes shapes;
    private final Tensor query;
    private final Tensor key;
    private final @Nullable Tensor mask;
    private final boolean isCausal;
    private final double scale;
    private final Tensor output;
    private @Nullable Tensor weights;

    private ScaledDotProductAttention(
            AttentionShapes shapes,
            Tensor query,
            Tensor key,
            Tensor value,
            @Nullable Tensor mask,
            boolean isCausal,
            double scale) {
        this.shapes = shapes;
        this.query = query;
        this.key = key;
        this.mask = mask;
        this.isCausal = isCausal;
        this.scale = scale;
        output = shapes.isEmpty(query, value)
                ? weights().matmul(shapes.ofHeads(value))
                : Scope.tidy(() -> attend(value));
    }

    static ScaledDotProductAttention of(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask, boolean isCausal, double scale) {
        if (mask != null && isCausal) {
            throw new OpException(OP, "a mask and a causal one exclude each other, got both: " + mask.type());
        }
        AttentionShapes shapes = AttentionShapes.of(OP, query, key, value);
        if (mask != null) {
            requireMask(mask, query, shapes);
        }
        return new ScaledDotProductAttention(shapes, query, key, value, mask, isCausal, scale);
    }

    /** Returns 1 / √features. */
    static double scale(Tensor query) {
        return 1 / Math.sqrt(ArgumentChecks.required(query, "the query").size(-1));
    }

    private static void requireMask(Tensor mask, Tensor query, AttentionShapes shapes) {
        if (!mask.shape().broadcastsTo(shapes.scores())) {
            throw new OpException(
                    OP, "the mask must broadcast to the scores, got " + mask.shape() + " and " + shapes.scores());
        }
        if (mask.dtype() != DType.BOOL && mask.dtype() != query.dtype()) {
            throw new OpException(
                    OP, "the mask must be bool or of the query's dtype, got " + mask.dtype() + " and " + query.dtype());
        }
    }

    private Tensor attend(Tensor value) {
        Tensor answer = AttentionPrimitives.attention(
                shapes.queries(query),
                shapes.keys(key),
                shapes.keys(value),
                mask == null ? null : shapes.mask(mask),
                isCausal,
                scale);
        return answer.reshape(shapes.output());
    }

    /** Returns the output, {@code [..., heads, queries, value features]}. */
    public Tensor output() {
        return output;
    }

    /**
     * Returns the weight of each value for each query, {@code [..., heads, queries, keys]}. They are computed at the first call, from the
     * present values of query and key, because the output does not need them.
     */
    public synchronized Tensor weights() {
        if (weights == null) {
            weights = Scope.tidy(() ->
                    masked(query.mul(scale).matmul(shapes.ofHeads(key).mT())).softmax(-1));
        }
        return weights;
    }

    private Tensor masked(Tensor scores) {
        if (isCausal) {
            Tensor past =
                    scores.newOnes(DType.BOOL, scores.size(-2), scores.size(-1)).tril();
            return scores.maskedFill(past.logicalNot(), Double.NEGATIVE_INFINITY);
        }
        if (mask == null) {
            return scores;
        }
        return mask.dtype() == DType.BOOL
                ? scores.maskedFill(mask.logicalNot(), Double.NEGATIVE_INFINITY)
                : scores.add(mask);
    }
}
