package dev.outpost.models.architecture;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.List;

/**
 * Attention without a cache. Each row has several texts, one after the other, and a token attends only to its own text.
 *
 * @param positions the positions of the tokens within their texts, {@code [batch, tokens]}, int64
 * @param isSeen true where a token attends to a token, without the limit of a window, {@code [batch, 1, tokens, tokens]},
 *     bool
 */
record PackedTokens(Tensor positions, Tensor isSeen) implements RecomputableTexts {
    /** @param texts the number of each token's text, {@code [batch, tokens]}, int64 */
    public static PackedTokens of(Tensor positions, Tensor texts) {
        Tensor isSeen = Scope.tidy(() -> {
            long tokens = texts.size(1);
            Tensor indices = texts.machine().arange(tokens);
            Tensor isPast = indices.reshape(1, 1, 1, tokens).le(indices.reshape(1, 1, tokens, 1));
            Tensor isSame = texts.reshape(-1, 1, tokens, 1).eq(texts.reshape(-1, 1, 1, tokens));
            return isSame.logicalAnd(isPast);
        });
        return new PackedTokens(positions, isSeen);
    }

    @Override
    public Tensor attend(int layer, AttentionRule rule, Tensor query, Tensor key, Tensor value) {
        return Scope.tidy(() -> MaskedAttention.attendSeen(rule, seen(rule), query, key, value));
    }

    private Tensor seen(AttentionRule rule) {
        if (rule.window() == 0) {
            return isSeen;
        }
        Tensor positions = isSeen.machine().arange(isSeen.size(3));
        Tensor isNear =
                positions.reshape(1, 1, 1, -1).gt(positions.sub(rule.window()).reshape(1, 1, -1, 1));
        return isSeen.logicalAnd(isNear);
    }

    @Override
    public List<Tensor> tensors() {
        return List.of(positions, isSeen);
    }

    @Override
    public KeyValues over(List<Tensor> handles) {
        return new PackedTokens(handles.get(0), handles.get(1));
    }
}
