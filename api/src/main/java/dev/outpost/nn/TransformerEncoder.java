package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Layers one on top of the other, and a norm behind the last if there is one (torch.nn.TransformerEncoder). */
public final class TransformerEncoder extends Module {
    private final ModuleList<TransformerEncoderLayer> layers;
    private final @Nullable LayerNorm norm;

    /** Without a norm behind the last layer. */
    public TransformerEncoder(TransformerOptions options, int count) {
        this(options, count, null);
    }

    /** So many layers that begin with weights of their own each. */
    public TransformerEncoder(TransformerOptions options, int count, @Nullable LayerNorm norm) {
        layers = register(
                "layers",
                new ModuleList<>(IntStream.range(0, count)
                        .mapToObj(layer -> new TransformerEncoderLayer(options))
                        .toList()));
        this.norm = norm == null ? null : register("norm", norm);
    }

    /** Without masks. */
    @Override
    public Tensor forward(Tensor source) {
        return forward(source, null, null, false);
    }

    /** As each layer's {@link TransformerEncoderLayer#forward(Tensor, Tensor, Tensor, boolean)}. */
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
