package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.KeyValues;
import dev.outpost.models.architecture.OwnTokens;
import dev.outpost.models.architecture.PackedTokens;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.architecture.RecomputableTexts;
import dev.outpost.nn.Module;
import java.util.ArrayList;
import java.util.List;

/** A language model that goes from left to right: tokens in, for each the scores of the next one out. */
public abstract class Decoder extends Module {
    private boolean recomputesActivations;

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
    public abstract void prepare(RemoteMachine machine, long positions, boolean isLong);

    /** Whether a text of so many tokens, those to come included, is one for which positions are scaled in another way. */
    public boolean isLong(long tokens) {
        return false;
    }

    /** The shapes of its caches, by layer. */
    public abstract List<PagedKvCache.HeadShape> cacheShapes();

    /** How many tokens it knows. */
    public abstract int vocabulary();

    /** How many positions it was made for. */
    public abstract int mostPositions();

    /** Where its layers are, as in {@code model.layers}: layer 3 has the name {@code model.layers.3}. */
    public abstract String layersName();

    /** The names of the modules that {@link #embed} uses. */
    public abstract List<String> embeddingNames();

    /** The names of the modules that {@link #normalized} and {@link #logits} use. */
    public abstract List<String> headNames();

    /** How wide the answers of its layers are. */
    public abstract int features();

    /**
     * The input of the first layer.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, features]}
     */
    public abstract Tensor embed(Tensor ids, KeyValues past);

    /**
     * The answers of some layers.
     *
     * @param x what the layer before them answered, {@code [batch, tokens, features]}
     * @param first of them
     * @param end behind the last of them
     */
    public abstract Tensor layers(Tensor x, int first, int end, KeyValues past);

    /** The last layer's output, normalized for the head. */
    public abstract Tensor normalized(Tensor x);

    /**
     * The last layer's answers, normalized.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, features]}
     */
    public final Tensor hidden(Tensor ids, KeyValues past) {
        return Scope.tidy(
                () -> normalized(layers(embed(ids, past), 0, cacheShapes().size(), past)));
    }

    /**
     * Scores of the next token.
     *
     * @param hidden {@code [..., features]}
     * @return {@code [..., vocabulary]}
     */
    public abstract Tensor logits(Tensor hidden);

    /** This module's name of a stored tensor, or null for one that it has no use for. */
    public String nameOf(String stored) {
        return stored;
    }

    /** Whether a stored tensor that this module does not have may be left out. */
    public boolean isSpare(String name) {
        return name.endsWith("rotary_emb.inv_freq") || name.equals("lm_head.weight");
    }

    /**
     * Whether what the layers compute on the way is computed again for backward instead of being kept: a third more work for a
     * part of the memory. Of calls without a cache.
     */
    public Decoder recomputesActivations(boolean recomputes) {
        recomputesActivations = recomputes;
        return this;
    }

    /** The answer of a layer; where it is wanted, intermediate results are computed again and not kept. */
    protected final Tensor ofLayer(LayerCall layer, Tensor x, List<Tensor> tables, KeyValues past) {
        boolean isRecomputed = recomputesActivations && GradMode.isEnabled();
        Tracing.assume(this, () -> recomputesActivations);
        if (!isRecomputed || !(past instanceof RecomputableTexts texts)) {
            return layer.answer(x, tables, past);
        }
        List<Tensor> inputs = new ArrayList<>(List.of(x));
        inputs.addAll(tables);
        inputs.addAll(texts.tensors());
        int first = 1 + tables.size();
        return dev.outpost.autograd.Checkpoint.checkpoint(
                        given -> List.of(layer.answer(
                                given.getFirst(),
                                given.subList(1, first),
                                texts.over(given.subList(first, given.size())))),
                        inputs)
                .getFirst();
    }

    /** A layer. */
    protected interface LayerCall {
        /** @param tables what all layers use, such as the turns of positions */
        Tensor answer(Tensor x, List<Tensor> tables, KeyValues past);
    }

    /**
     * The scores behind each token of rows that have several texts, one behind the other; a token sees those of its own text only.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @param positions of the tokens within their texts, as many, int64
     * @param texts the number of the text that a token belongs to, as many, int64
     * @return {@code [batch, tokens, vocabulary]}
     */
    public Tensor forward(Tensor ids, Tensor positions, Tensor texts) {
        return Scope.tidy(() -> logits(hidden(ids, PackedTokens.of(positions, texts))));
    }

    /** The scores behind each token of whole sequences, {@code [batch, tokens, vocabulary]}, without a cache. */
    @Override
    public Tensor forward(Tensor ids) {
        return logits(hidden(ids, OwnTokens.of(ids)));
    }
}
