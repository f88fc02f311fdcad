package dev.outpost.models.lora;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autocast;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.types.DType;

/**
 * The addition of an adapter to the output of one layer: scale · (x · Aᵀ) · Bᵀ. B is initially zero, so at first it adds
 * nothing.
 */
public final class LoraLayer extends Module {
    private final Linear down;
    private final Linear up;
    private final Dropout dropout;
    private final double scale;

    LoraLayer(long inFeatures, long outFeatures, LoraConfig config) {
        down = register("lora_A", new Linear(inFeatures, config.rank(), false));
        up = register("lora_B", new Linear(config.rank(), outFeatures, false));
        up.weight().initialize(Init.zeros());
        dropout = register("lora_dropout", new Dropout(config.dropout()));
        scale = config.scale();
    }

    /** Returns A, {@code [rank, inFeatures]}. */
    public Tensor down() {
        return down.weight().tensor();
    }

    /** Returns B, {@code [outFeatures, rank]}. */
    public Tensor up() {
        return up.weight().tensor();
    }

    double scale() {
        return scale;
    }

    /** Returns the change of the layer's weight, {@code [outFeatures, inFeatures]}. */
    Tensor weight() {
        return Scope.tidy(() -> up().matmul(down()).mul(scale));
    }

    /**
     * Returns the addition to the layer's output.
     *
     * @param input {@code [..., inFeatures]}
     * @return {@code [..., outFeatures]}, in the input's dtype
     */
    @Override
    public Tensor forward(Tensor input) {
        return Scope.tidy(() -> {
            DType own = down.weight().dtype();
            Tensor given = Autocast.isEnabled() ? input : input.to(own);
            return up.forward(down.forward(dropout.forward(given))).mul(scale).to(input.dtype());
        });
    }
}
