package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import java.util.List;

/** Attention without a cache. The tokens of a call are whole sequences from position 0. */
record OwnTokens(Tensor positions) implements RecomputableTexts {
    /** @param ids {@code [batch, tokens]} */
    public static OwnTokens of(Tensor ids) {
        return new OwnTokens(ids.machine().arange(ids.size(1)).reshape(1, -1).expand(ids.size(0), ids.size(1)));
    }

    @Override
    public Tensor attend(int layer, AttentionRule rule, Tensor query, Tensor key, Tensor value) {
        return MaskedAttention.attend(rule, positions, query, key, value);
    }

    @Override
    public List<Tensor> tensors() {
        return List.of(positions);
    }

    @Override
    public KeyValues over(List<Tensor> handles) {
        return new OwnTokens(handles.getFirst());
    }
}
