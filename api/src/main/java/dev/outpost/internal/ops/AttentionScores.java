package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/**
 * Attention with all its weights there, {@code [batch, heads, queries, keys]}, and the products that lead to them and from
 * them; the heads of a group are one matrix of queries. In what the dtype accumulates in.
 *
 * @param mask null where there is none
 */
public record AttentionScores(Tensor query, Tensor key, Tensor mask, boolean causal, double scale) {

    /** {@code exp(scores - logarithms)}, which are weights that add up to 1; none of what is hidden. */
    public Tensor weights(Tensor logarithms) {
        Tensor scores = ofPairs(query, key).mul(scale);
        Tensor masked = mask == null || mask.dtype() == DType.BOOL ? scores : scores.add(mask);
        return withoutHidden(masked.sub(logarithms.unsqueeze(-1)).exp());
    }

    /** 0 in the place of what is hidden. */
    public Tensor withoutHidden(Tensor pairs) {
        Tensor shown = mask == null || mask.dtype() != DType.BOOL ? pairs : pairs.maskedFill(mask.logicalNot(), 0);
        if (!causal) {
            return shown;
        }
        Tensor past = pairs.newOnes(DType.BOOL, pairs.size(-2), pairs.size(-1)).tril();
        return shown.maskedFill(past.logicalNot(), 0);
    }

    /** {@code queries · keysᵀ}. */
    public Tensor ofPairs(Tensor queries, Tensor keys) {
        return mergeHeads(queries).matmul(keys.mT()).reshape(pairs());
    }

    /** {@code pairs · keys}: a row for each query. */
    public Tensor ofQueries(Tensor pairs, Tensor keys) {
        Shape shape = query.shape();
        return mergeHeads(pairs).matmul(keys).reshape(shape.size(0), shape.size(1), shape.size(2), keys.size(-1));
    }

    /** {@code pairsᵀ · queries}: a row for each key. */
    public Tensor ofKeys(Tensor pairs, Tensor queries) {
        return mergeHeads(pairs).mT().matmul(mergeHeads(queries));
    }

    private Shape pairs() {
        return Shape.of(query.size(0), query.size(1), query.size(2), key.size(2));
    }

    /** {@code [batch, groups, queries of all heads of a group, ...]}. */
    private Tensor mergeHeads(Tensor perHead) {
        long groups = key.size(1);
        long heads = groups == 0 ? 0 : query.size(1) / groups;
        return perHead.reshape(perHead.size(0), groups, heads * perHead.size(2), perHead.size(3));
    }
}
