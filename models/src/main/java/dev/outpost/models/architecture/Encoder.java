package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import org.jspecify.annotations.Nullable;

/** A model in which each token sees all of its text: tokens in, a vector for each of them out. */
public abstract class Encoder extends Module {
    /** Of a vector. */
    public abstract int features();

    /** How many tokens a text can have. */
    public abstract int mostPositions();

    /** The token by which shorter texts are filled up. */
    public abstract int padding();

    /** This module's name of a stored tensor. */
    public abstract String nameOf(String stored);

    /**
     * A vector for each token.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @param isToken where there is a token of the text, {@code [batch, tokens]}, bool
     * @return {@code [batch, tokens, features]}; what stands where there is none means nothing
     */
    public final Tensor hidden(Tensor ids, Tensor isToken) {
        return hidden(ids, isToken, null);
    }

    /** @param types whether a token is of the first or the second text, {@code [batch, tokens]} of 0 and 1; null for the first */
    public abstract Tensor hidden(Tensor ids, Tensor isToken, @Nullable Tensor types);
}
