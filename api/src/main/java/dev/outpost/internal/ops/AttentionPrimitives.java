package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.protocol.op.Attention;

/** Attention in the form of the primitive; {@code nn.Functional} has what PyTorch has. */
public final class AttentionPrimitives {
    private AttentionPrimitives() {}

    /**
     * {@code softmax(scale · query · keyᵀ + mask) · value}, head by head; neighbouring heads share a group of keys and values.
     *
     * @param query {@code [batch, heads, queries, features]}
     * @param key {@code [batch, groups, keys, features]}
     * @param value {@code [batch, groups, keys, value features]}
     * @param mask broadcasts to {@code [batch, heads, queries, keys]}, in four dimensions: bool, true where a key is seen, or numbers of the query's dtype
     *     that are added; or null
     * @param isCausal whether a query sees the keys up to its own number only
     * @return {@code [batch, heads, queries, value features]}
     */
    public static Tensor attention(
            Tensor query, Tensor key, Tensor value, Tensor mask, boolean isCausal, double scale) {
        Attention op = new Attention(isCausal, scale);
        Tensor[] results = mask == null
                ? Dispatch.applyAll(op, query, key, value)
                : Dispatch.applyAll(op, query, key, value, mask);
        // Where a gradient needs the logarithms, it has them already.
        results[1].close();
        return results[0];
    }
}
