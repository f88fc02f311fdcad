package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Stacked layers, and optionally a norm after the last one (torch.nn.TransformerEncoder). */
public final class TransformerEncoder extends Module {
    private final ModuleList<TransformerEncoderLayer> layers;
    private final @Nullable LayerNorm norm;

    /** Creates a stack without a norm after the last layer. */
    public TransformerEncoder(TransformerOptions options, int count) {
        this(options, count, null);
    }

    /** Creates a stack of {@code count} layers, each with its own initial weights. */
    public TransformerEncoder(TransformerOptions options, int count, @Nullable LayerNorm norm) {
        layers = register(
                "layers",
                new ModuleList<>(IntStream.range(0, count)
                        .mapToObj(layer -> new TransformerEncoderLayer(options))
                        .toList()));
        this.norm = norm == null ? null : register("norm", norm);
    }

    /** Computes the output without masks. */
    @Override
    public Tensor forward(Tensor source) {
        return forward(source, null, null, false);
    }

    /**
     * Calls all layers; for the arguments see {@link TransformerEncoderLayer#forward(Tensor, Tensor, Tensor,
     * boolean)}.
     */
    public Tensor forward(Tensor source, @Nullable Tensor mask, @Nullable Tensor keyPadding, boolean causal) {
        return Scope.tidy(() -> {
            Tensor current = source;
            for (TransformerEncoderLayer layer : layers) {
                current = layer.forward(current, mask, keyPadding, causal);
            }
            return norm == null ? current : norm.call(current);
        });
    }
}
