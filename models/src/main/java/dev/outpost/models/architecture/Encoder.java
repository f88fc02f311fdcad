package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import org.jspecify.annotations.Nullable;

/** A model in which each token attends to the whole text. It receives tokens and returns a vector for each. */
public abstract class Encoder extends Module {
    /** Returns the number of elements of a vector. */
    public abstract int features();

    /** Returns the maximum number of tokens of a text. */
    public abstract int mostPositions();

    /** Returns the token that pads shorter texts. */
    public abstract int padding();

    /** Returns this module's name of a stored tensor. */
    public abstract String nameOf(String stored);

    /**
     * Returns a vector for each token.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @param isToken true at the tokens of a text, false at padding, {@code [batch, tokens]}, bool
     * @return {@code [batch, tokens, features]}; the vectors of padding are undefined
     */
    public final Tensor hidden(Tensor ids, Tensor isToken) {
        return hidden(ids, isToken, null);
    }

    /**
     * @param types 0 for tokens of the first text and 1 for the second, {@code [batch, tokens]}; null if there is only one
     */
    public abstract Tensor hidden(Tensor ids, Tensor isToken, @Nullable Tensor types);
}
