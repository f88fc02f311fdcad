package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.protocol.types.DType;

/**
 * What attention answers.
 *
 * @param output {@code [..., queries, features]}
 * @param weights how much each query took of each value, {@code [..., queries, keys]}
 */
public record Attention(Tensor output, Tensor weights) {
    /** softmax(q · kᵀ / √features) · v (Vaswani et al., 2017). */
    static Attention of(Tensor query, Tensor key, Tensor value, boolean isCausal) {
        Tensor scores = query.div(Math.sqrt(query.size(-1))).matmul(key.mT());
        Tensor weights = (isCausal ? withoutFuture(scores) : scores).softmax(-1);
        return new Attention(weights.matmul(value), weights);
    }

    private static Tensor withoutFuture(Tensor scores) {
        Tensor isPast =
                scores.newOnes(DType.BOOL, scores.size(-2), scores.size(-1)).tril();
        return scores.maskedFill(isPast.logicalNot(), Double.NEGATIVE_INFINITY);
    }
}
