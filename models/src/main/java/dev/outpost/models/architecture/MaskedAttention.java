package dev.outpost.models.architecture;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;

/** Attention over keys in the order of their positions. */
final class MaskedAttention {
    private MaskedAttention() {}

    /**
     * Computes attention with a causal mask from positions.
     *
     * @param positions the positions of the queries, {@code [batch, tokens]}
     * @param keys {@code [batch, groups, keys, features]}; the index of a key is its position
     */
    static Tensor attend(AttentionRule rule, Tensor positions, Tensor query, Tensor keys, Tensor values) {
        return Scope.tidy(() -> {
            Tensor isSeen = visibleMask(rule, positions, keys.size(2));
            return attendSeen(rule, isSeen, query, keys, values);
        });
    }

    /**
     * Computes attention with an explicit mask.
     *
     * @param isSeen true where a token attends to a key, {@code [batch, 1, tokens, keys]}, bool
     */
    static Tensor attendSeen(AttentionRule rule, Tensor isSeen, Tensor query, Tensor keys, Tensor values) {
        return rule.softCap() == 0
                ? Functional.scaledDotProductAttention(query, keys, values, isSeen, false, rule.scale())
                        .output()
                : capped(rule, isSeen, query, keys, values);
    }

    /** Returns the mask, {@code [batch, 1, tokens, keys]}. */
    private static Tensor visibleMask(AttentionRule rule, Tensor positions, long keys) {
        Tensor last = positions.reshape(positions.size(0), 1, positions.size(1), 1);
        Tensor indices = positions.machine().arange(keys);
        Tensor isPast = indices.le(last);
        return rule.window() == 0 ? isPast : isPast.logicalAnd(indices.gt(last.sub(rule.window())));
    }

    private static Tensor capped(AttentionRule rule, Tensor isSeen, Tensor query, Tensor keys, Tensor values) {
        int share = Math.toIntExact(query.size(1) / keys.size(1));
        Tensor ofHeads = keys.repeatInterleave(share, 1);
        Tensor scores = query.matmul(ofHeads.mT()).mul(rule.scale());
        Tensor held = scores.div(rule.softCap()).tanh().mul(rule.softCap());
        Tensor weights =
                held.maskedFill(isSeen.logicalNot(), Double.NEGATIVE_INFINITY).softmax(-1);
        return weights.matmul(values.repeatInterleave(share, 1));
    }
}
