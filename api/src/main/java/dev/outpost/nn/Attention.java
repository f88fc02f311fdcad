package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.types.DType;

/**
 * What attention answers.
 *
 * @param output {@code [..., queries, features]}
 * @param weights how much each query took of each value, {@code [..., queries, keys]}
 */
public record Attention(Tensor output, Tensor weights) {
    private static final String OP = "scaled_dot_product_attention";

    /** softmax(q · kᵀ / √features + mask) · v (Vaswani et al., 2017). */
    static Attention of(Tensor query, Tensor key, Tensor value, Tensor mask, boolean isCausal) {
        if (mask != null && isCausal) {
            throw new OpException(OP, "a mask and a causal one exclude each other, got both: " + mask.type());
        }
        Tensor scores = query.div(Math.sqrt(query.size(-1))).matmul(key.mT());
        Tensor masked = mask == null ? scores : masked(scores, mask);
        Tensor weights = (isCausal ? withoutFuture(scores) : masked).softmax(-1);
        return new Attention(weights.matmul(value), weights);
    }

    private static Tensor masked(Tensor scores, Tensor mask) {
        if (!mask.shape().broadcastsTo(scores.shape())) {
            throw new OpException(
                    OP, "the mask must broadcast to the scores, got " + mask.shape() + " and " + scores.shape());
        }
        if (mask.dtype() == DType.BOOL) {
            return scores.maskedFill(mask.logicalNot(), Double.NEGATIVE_INFINITY);
        }
        if (mask.dtype() != scores.dtype()) {
            throw new OpException(
                    OP,
                    "the mask must be bool or of the query's dtype, got " + mask.dtype() + " and " + scores.dtype());
        }
        return scores.add(mask);
    }

    private static Tensor withoutFuture(Tensor scores) {
        Tensor isPast =
                scores.newOnes(DType.BOOL, scores.size(-2), scores.size(-1)).tril();
        return scores.maskedFill(isPast.logicalNot(), Double.NEGATIVE_INFINITY);
    }
}
