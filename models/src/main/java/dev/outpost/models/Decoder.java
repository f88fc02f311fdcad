package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import java.util.List;

/** A language model that goes from left to right: tokens in, for each the scores of the next one out. */
public abstract class Decoder extends Module {
    /** An untrained one by a {@code config.json}; an unknown type is refused. Its parameters are described, and made by {@link #to}. */
    public static Decoder of(ModelConfig config) {
        return Architectures.decoder(config);
    }

    /** To be called before {@link #forward}, where the module is trained: for texts of so many tokens on this machine. */
    public final void prepare(RemoteMachine machine, long positions) {
        prepare(machine, positions, isLong(positions));
    }

    /**
     * Makes what depends on the machine and on the positions; called before the first call, and again for more positions. What was
     * made before stays as it is for calls that use it.
     *
     * @param positions there will be no more
     * @param isLong whether texts are longer than those that it was first trained on, as {@link #isLong} says
     */
    abstract void prepare(RemoteMachine machine, long positions, boolean isLong);

    /** Whether a text of so many tokens, those to come included, is one for which positions are scaled in another way. */
    boolean isLong(long tokens) {
        return false;
    }

    /** What its caches hold, by layer. */
    abstract List<PagePool.HeadShape> cacheShapes();

    /** How many tokens it knows. */
    abstract int vocabulary();

    /** How many positions it was made for. */
    abstract int mostPositions();

    /**
     * The last layer's answers.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, features]}
     */
    abstract Tensor hidden(Tensor ids, KeyValues past);

    /**
     * Scores of the next token.
     *
     * @param hidden {@code [..., features]}
     * @return {@code [..., vocabulary]}
     */
    abstract Tensor logits(Tensor hidden);

    /** This module's name of a stored tensor, or null for one that it has no use for. */
    String nameOf(String stored) {
        return stored;
    }

    /** Whether a stored tensor that this module does not have may be left out. */
    boolean isSpare(String name) {
        return name.endsWith("rotary_emb.inv_freq") || name.equals("lm_head.weight");
    }

    /** The scores behind each token of whole sequences, {@code [batch, tokens, vocabulary]}, without a cache. */
    @Override
    public Tensor forward(Tensor ids) {
        return logits(hidden(ids, OwnTokens.of(ids)));
    }
}
