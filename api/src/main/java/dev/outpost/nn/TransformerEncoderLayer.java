package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import org.jspecify.annotations.Nullable;

/** Self-attention and a feed-forward network, each around a residual (Vaswani et al., 2017; torch.nn.TransformerEncoderLayer). */
public final class TransformerEncoderLayer extends Module {
    private final TransformerOptions options;
    private final MultiheadAttention attention;
    private final FeedForward feedForward;
    private final LayerNorm firstNorm;
    private final LayerNorm secondNorm;
    private final Dropout firstDropout;
    private final Dropout secondDropout;

    public TransformerEncoderLayer(TransformerOptions options) {
        this.options = ArgumentChecks.required(options, "the options");
        attention = register("self_attn", options.attention());
        Linear first = register("linear1", new Linear(options.features(), options.feedForward(), options.bias()));
        Dropout between = register("dropout", new Dropout(options.dropout()));
        Linear second = register("linear2", new Linear(options.feedForward(), options.features(), options.bias()));
        feedForward = new FeedForward(first, between, second, options.activation());
        firstNorm = register("norm1", options.norm());
        secondNorm = register("norm2", options.norm());
        firstDropout = register("dropout1", new Dropout(options.dropout()));
        secondDropout = register("dropout2", new Dropout(options.dropout()));
    }

    /** Computes the output without masks. */
    @Override
    public Tensor forward(Tensor source) {
        return forward(source, null, null, false);
    }

    /**
     * Returns the output, with the source's shape.
     *
     * @param mask a mask as in {@link MultiheadAttention.Call}, or null
     * @param keyPadding {@code [batch, length]}, true for padding; or null
     * @param causal true if a token attends to no later token; a given mask is used instead
     */
    public Tensor forward(Tensor source, @Nullable Tensor mask, @Nullable Tensor keyPadding, boolean causal) {
        MultiheadAttention.Call call = new MultiheadAttention.Call(keyPadding, mask, false, true, causal);
        return Scope.tidy(() -> {
            if (options.normFirst()) {
                Tensor attended = source.add(attended(firstNorm.call(source), call));
                return attended.add(fed(secondNorm.call(attended)));
            }
            Tensor attended = firstNorm.call(source.add(attended(source, call)));
            return secondNorm.call(attended.add(fed(attended)));
        });
    }

    private Tensor attended(Tensor input, MultiheadAttention.Call call) {
        return firstDropout.call(attention.forward(input, input, input, call).output());
    }

    private Tensor fed(Tensor input) {
        return secondDropout.call(feedForward.of(input));
    }
}
