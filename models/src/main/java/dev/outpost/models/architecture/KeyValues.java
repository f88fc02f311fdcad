package dev.outpost.models.architecture;

import dev.outpost.Tensor;

/** The keys and values that a call can attend to: the keys and values of earlier tokens and of the call's tokens. */
public interface KeyValues {
    /** Returns the positions of the call's tokens, {@code [batch, tokens]}, int64. */
    Tensor positions();

    /**
     * Computes the attention of the call's tokens in a layer. A cache also stores their keys and values. Each token attends
     * to its sequence up to its own position.
     *
     * @param query {@code [batch, heads, tokens, features]}
     * @param key {@code [batch, groups, tokens, features]}; neighbouring heads share a group
     * @param value {@code [batch, groups, tokens, value features]}
     * @return {@code [batch, heads, tokens, value features]}
     */
    Tensor attend(int layer, AttentionRule rule, Tensor query, Tensor key, Tensor value);
}
