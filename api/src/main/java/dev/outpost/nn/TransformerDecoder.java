package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Stacked layers, and optionally a norm after the last one (torch.nn.TransformerDecoder). */
public final class TransformerDecoder extends Module {
    private final ModuleList<TransformerDecoderLayer> layers;
    private final @Nullable LayerNorm norm;

    /** Creates a stack without a norm after the last layer. */
    public TransformerDecoder(TransformerOptions options, int count) {
        this(options, count, null);
    }

    /** Creates a stack of {@code count} layers, each with its own initial weights. */
    public TransformerDecoder(TransformerOptions options, int count, @Nullable LayerNorm norm) {
        layers = register(
                "layers",
                new ModuleList<>(IntStream.range(0, count)
                        .mapToObj(layer -> new TransformerDecoderLayer(options))
                        .toList()));
        this.norm = norm == null ? null : register("norm", norm);
    }

    /** Computes the output without masks. */
    public Tensor forward(Tensor target, Tensor memory) {
        return forward(target, memory, DecoderMasks.none());
    }

    /**
     * Calls all layers; for the arguments see {@link TransformerDecoderLayer#forward(Tensor, Tensor, DecoderMasks)}.
     */
    public Tensor forward(Tensor target, Tensor memory, DecoderMasks masks) {
        return Scope.tidy(() -> {
            Tensor current = target;
            for (TransformerDecoderLayer layer : layers) {
                current = layer.forward(current, memory, masks);
            }
            return norm == null ? current : norm.call(current);
        });
    }
}
