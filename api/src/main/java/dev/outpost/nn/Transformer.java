package dev.outpost.nn;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import org.jspecify.annotations.Nullable;

/** An encoder and a decoder (Vaswani et al., 2017; torch.nn.Transformer). */
public final class Transformer extends Module {
    private final TransformerEncoder encoder;
    private final TransformerDecoder decoder;

    /** Uses 512 features, 8 heads, and 6 layers on each side. */
    public Transformer() {
        this(TransformerOptions.of(512, 8), 6, 6);
    }

    /** Weights of more than one dimension begin with {@link Init#xavierUniform}. */
    public Transformer(TransformerOptions options, int encoderLayers, int decoderLayers) {
        encoder = register("encoder", new TransformerEncoder(options, encoderLayers, options.norm()));
        decoder = register("decoder", new TransformerDecoder(options, decoderLayers, options.norm()));
        parameters().stream()
                .filter(parameter -> parameter.shape().rank() > 1)
                .forEach(parameter -> parameter.initialize(Init.xavierUniform(1)));
    }

    /** Returns the output of the decoder, with the target's shape; uses no masks. */
    public Tensor forward(Tensor source, Tensor target) {
        return forward(source, target, null, null, DecoderMasks.none());
    }

    /**
     * Returns the output of the decoder, with the target's shape.
     *
     * @param sourceMask a mask of pairs of sources, or null
     * @param sourcePadding {@code [batch, sources]}, or null
     */
    public Tensor forward(
            Tensor source,
            Tensor target,
            @Nullable Tensor sourceMask,
            @Nullable Tensor sourcePadding,
            DecoderMasks masks) {
        return Scope.tidy(() -> {
            Tensor memory = encoder.forward(source, sourceMask, sourcePadding, false);
            return decoder.forward(target, memory, masks);
        });
    }

    public TransformerEncoder encoder() {
        return encoder;
    }

    public TransformerDecoder decoder() {
        return decoder;
    }

    /** Returns minus infinity above the diagonal and zero elsewhere: a token attends to no later token. */
    public static Tensor generateSquareSubsequentMask(RemoteMachine machine, long size, DType dtype) {
        return Scope.tidy(
                () -> machine.full(Double.NEGATIVE_INFINITY, dtype, size, size).triu(1));
    }
}
