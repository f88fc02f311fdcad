package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Module;
import java.util.ArrayList;
import java.util.List;

/** A decoder-only language model: it receives tokens and returns, for each, the scores of the next token. */
public abstract class Decoder extends Module {
    private boolean recomputesActivations;

    /**
     * Returns an untrained model for a {@code config.json}. Fails if the type is unknown. {@link #to} creates the parameters.
     */
    public static Decoder of(ModelConfig config) {
        return Architectures.decoder(config);
    }

    /**
     * Prepares for texts of {@code positions} tokens on a machine. Call it before {@link #forward} if you train the module.
     */
    public final void prepare(RemoteMachine machine, long positions) {
        prepare(machine, positions, isLong(positions));
    }

    /**
     * Makes the tables that depend on the machine and the positions. Called before the first call, and again for more
     * positions. Calls that use the earlier tables are not affected.
     *
     * @param positions the maximum number of positions
     * @param isLong true if texts are longer than those that the model was first trained on, see {@link #isLong}
     */
    public abstract void prepare(RemoteMachine machine, long positions, boolean isLong);

    /** True if a text of this length, new tokens included, needs another scaling of positions. */
    public boolean isLong(long tokens) {
        return false;
    }

    /** Returns the shapes of the caches, by layer. */
    public abstract List<PagedKvCache.HeadShape> cacheShapes();

    /** Returns the number of tokens in the vocabulary. */
    public abstract int vocabulary();

    /** Returns the number of positions that the model was made for. */
    public abstract int mostPositions();

    /** Returns the name prefix of the layers, such as {@code model.layers}: layer 3 is {@code model.layers.3}. */
    public abstract String layersName();

    /** Returns the names of the modules that {@link #embed} uses. */
    public abstract List<String> embeddingNames();

    /** Returns the names of the modules that {@link #normalized} and {@link #logits} use. */
    public abstract List<String> headNames();

    /** Returns the number of features of the layers' outputs. */
    public abstract int features();

    /**
     * Returns the input of the first layer.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, features]}
     */
    public abstract Tensor embed(Tensor ids, KeyValues past);

    /**
     * Computes the layers from {@code first}, inclusive, to {@code end}, exclusive.
     *
     * @param x the output of the layer before them, {@code [batch, tokens, features]}
     * @param first the first layer
     * @param end the layer after the last one
     */
    public abstract Tensor layers(Tensor x, int first, int end, KeyValues past);

    /** Normalizes the last layer's output for the head. */
    public abstract Tensor normalized(Tensor x);

    /**
     * Returns the normalized output of the last layer.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, features]}
     */
    public final Tensor hidden(Tensor ids, KeyValues past) {
        return Scope.tidy(
                () -> normalized(layers(embed(ids, past), 0, cacheShapes().size(), past)));
    }

    /**
     * Returns the scores of the next token.
     *
     * @param hidden {@code [..., features]}
     * @return {@code [..., vocabulary]}
     */
    public abstract Tensor logits(Tensor hidden);

    /** Returns this module's name of a stored tensor, or null if the module does not use it. */
    public String nameOf(String stored) {
        return stored;
    }

    /** True if a stored tensor that has no counterpart in this module may be ignored. */
    public boolean isSpare(String name) {
        return name.endsWith("rotary_emb.inv_freq") || name.equals("lm_head.weight");
    }

    /**
     * Sets whether the backward pass computes intermediate results of the layers again instead of keeping them: this
     * costs a third more computation and saves memory. Applies to calls without a cache.
     */
    public Decoder recomputesActivations(boolean recomputes) {
        recomputesActivations = recomputes;
        return this;
    }

    /** Calls a layer. If activations are recomputed, intermediate results are not kept. */
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

    /** A call of one layer. */
    protected interface LayerCall {
        /** @param tables the tensors that all layers use, such as the rotations of positions */
        Tensor answer(Tensor x, List<Tensor> tables, KeyValues past);
    }

    /**
     * Returns the scores after each token of rows that hold several texts, one after the other. A token attends only to its
     * own text.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @param positions the positions of the tokens within their texts, {@code [batch, tokens]}, int64
     * @param texts the number of each token's text, {@code [batch, tokens]}, int64
     * @return {@code [batch, tokens, vocabulary]}
     */
    public Tensor forward(Tensor ids, Tensor positions, Tensor texts) {
        return Scope.tidy(() -> logits(hidden(ids, PackedTokens.of(positions, texts))));
    }

    /** Returns the scores after each token of whole sequences, {@code [batch, tokens, vocabulary]}, without a cache. */
    @Override
    public Tensor forward(Tensor ids) {
        return logits(hidden(ids, OwnTokens.of(ids)));
    }
}
