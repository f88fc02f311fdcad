package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.PagedAttention;

/** Attention with the parameters of the primitive; {@code nn.Functional} has PyTorch's functions. */
public final class AttentionPrimitives {
    private AttentionPrimitives() {}

    /**
     * Computes attention over keys and values in pages of a pool; see the primitive. No gradient flows through it.
     *
     * @param query {@code [batch, heads, tokens, features]}
     * @param keys {@code [pages, page size, groups, features]}
     * @param values {@code [pages, page size, groups, value features]}
     * @param table the pages of each sequence, {@code [batch, pages]}
     * @param positions the positions of the queries, {@code [batch, tokens]}
     * @param window the number of tokens that a query sees, or 0 for all
     * @param cap the bound on the magnitude of scores, or 0 for none
     */
    public static Tensor paged(
            Tensor query,
            Tensor keys,
            Tensor values,
            Tensor table,
            Tensor positions,
            int window,
            double scale,
            double cap) {
        PagedAttention op = new PagedAttention(window, cap > 0, scale, cap > 0 ? cap : 1);
        return Dispatch.apply(op, query, keys, values, table, positions);
    }

    /**
     * Computes {@code softmax(scale · query · keyᵀ + mask) · value} for each head. Neighbouring heads share a group
     * of keys and values.
     *
     * @param query {@code [batch, heads, queries, features]}
     * @param key {@code [batch, groups, keys, features]}
     * @param value {@code [batch, groups, keys, value features]}
     * @param mask a mask that broadcasts to {@code [batch, heads, queries, keys]}, in four dimensions: bool, true where a key is
     *     visible, or numbers of the query's dtype that are added to the scores; or null
     * @param isCausal true if a query sees only the keys up to its own index
     * @return {@code [batch, heads, queries, value features]}
     */
    public static Tensor attention(
            Tensor query, Tensor key, Tensor value, Tensor mask, boolean isCausal, double scale) {
        Attention op = new Attention(isCausal, scale);
        Tensor[] results = mask == null
                ? Dispatch.applyAll(op, query, key, value)
                : Dispatch.applyAll(op, query, key, value, mask);
        // If a gradient needs the logarithms, it has saved them already.
        results[1].close();
        return results[0];
    }
}
