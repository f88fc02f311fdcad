package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/**
 * Self-attention, attention to an encoder's output, and a feed-forward network, each around a residual (Vaswani et al., 2017;
 * torch.nn.TransformerDecoderLayer).
 */
public final class TransformerDecoderLayer extends Module {
    private final TransformerOptions options;
    private final MultiheadAttention selfAttention;
    private final MultiheadAttention memoryAttention;
    private final FeedForward feedForward;
    private final LayerNorm firstNorm;
    private final LayerNorm secondNorm;
    private final LayerNorm thirdNorm;
    private final Dropout firstDropout;
    private final Dropout secondDropout;
    private final Dropout thirdDropout;

    public TransformerDecoderLayer(TransformerOptions options) {
        this.options = ArgumentChecks.required(options, "the options");
        selfAttention = register("self_attn", options.attention());
        memoryAttention = register("multihead_attn", options.attention());
        Linear first = register("linear1", new Linear(options.features(), options.feedForward(), options.bias()));
        Dropout between = register("dropout", new Dropout(options.dropout()));
        Linear second = register("linear2", new Linear(options.feedForward(), options.features(), options.bias()));
        feedForward = new FeedForward(first, between, second, options.activation());
        firstNorm = register("norm1", options.norm());
        secondNorm = register("norm2", options.norm());
        thirdNorm = register("norm3", options.norm());
        firstDropout = register("dropout1", new Dropout(options.dropout()));
        secondDropout = register("dropout2", new Dropout(options.dropout()));
        thirdDropout = register("dropout3", new Dropout(options.dropout()));
    }

    /** Computes the output without masks. */
    public Tensor forward(Tensor target, Tensor memory) {
        return forward(target, memory, DecoderMasks.none());
    }

    /** Returns the output, with the target's shape. */
    public Tensor forward(Tensor target, Tensor memory, DecoderMasks masks) {
        return Scope.tidy(() -> {
            if (options.normFirst()) {
                Tensor attended = target.add(attended(firstNorm.call(target), masks));
                Tensor informed = attended.add(informed(secondNorm.call(attended), memory, masks));
                return informed.add(fed(thirdNorm.call(informed)));
            }
            Tensor attended = firstNorm.call(target.add(attended(target, masks)));
            Tensor informed = secondNorm.call(attended.add(informed(attended, memory, masks)));
            return thirdNorm.call(informed.add(fed(informed)));
        });
    }

    private Tensor attended(Tensor input, DecoderMasks masks) {
        return firstDropout.call(
                selfAttention.forward(input, input, input, masks.ofTarget()).output());
    }

    private Tensor informed(Tensor input, Tensor memory, DecoderMasks masks) {
        return secondDropout.call(
                memoryAttention.forward(input, memory, memory, masks.ofMemory()).output());
    }

    private Tensor fed(Tensor input) {
        return thirdDropout.call(feedForward.of(input));
    }
}
