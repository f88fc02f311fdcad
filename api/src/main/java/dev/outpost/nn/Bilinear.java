package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Computes first · weight[o] · second + bias[o] for each output feature o (torch.nn.Bilinear). */
public final class Bilinear extends Module {
    private final long firstFeatures;
    private final long secondFeatures;
    private final long outFeatures;
    private final Parameter weight;
    private final @Nullable Parameter bias;

    /** Creates a layer with a bias. */
    public Bilinear(long firstFeatures, long secondFeatures, long outFeatures) {
        this(firstFeatures, secondFeatures, outFeatures, true);
    }

    /** Creates a layer with or without a bias. */
    public Bilinear(long firstFeatures, long secondFeatures, long outFeatures, boolean hasBias) {
        this.firstFeatures = firstFeatures;
        this.secondFeatures = secondFeatures;
        this.outFeatures = outFeatures;
        double bound = firstFeatures > 0 ? 1 / Math.sqrt(firstFeatures) : 0;
        weight = parameter("weight", Init.uniform(-bound, bound), outFeatures, firstFeatures, secondFeatures);
        bias = hasBias ? parameter("bias", Init.uniform(-bound, bound), outFeatures) : null;
    }

    /** Returns the weight {@code [outFeatures, firstFeatures, secondFeatures]}. */
    public Parameter weight() {
        return weight;
    }

    /** Returns the bias {@code [outFeatures]}, or null. */
    public @Nullable Parameter bias() {
        return bias;
    }

    /** Computes the result for {@code [..., firstFeatures]} and {@code [..., secondFeatures]}. */
    public Tensor forward(Tensor first, Tensor second) {
        return Functional.bilinear(first, second, weight.tensor(), bias == null ? null : bias.tensor());
    }

    @Override
    protected String settings() {
        return "in1_features=" + firstFeatures + ", in2_features=" + secondFeatures + ", out_features=" + outFeatures
                + ", bias=" + flag(bias != null);
    }
}
