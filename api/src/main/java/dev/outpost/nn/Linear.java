package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · weightᵀ + bias, with weight {@code [outFeatures, inFeatures]}. */
public final class Linear extends Module {
    private final long inFeatures;
    private final long outFeatures;
    private final Parameter weight;
    private final Parameter bias;

    public Linear(long inFeatures, long outFeatures) {
        this(inFeatures, outFeatures, true);
    }

    public Linear(long inFeatures, long outFeatures, boolean hasBias) {
        this.inFeatures = inFeatures;
        this.outFeatures = outFeatures;
        weight = parameter(
                "weight", Init.kaimingUniform(Math.sqrt(5), Fan.IN, Nonlinearity.LEAKY_RELU), outFeatures, inFeatures);
        double bound = inFeatures > 0 ? 1 / Math.sqrt(inFeatures) : 0;
        bias = hasBias ? parameter("bias", Init.symmetric(bound), outFeatures) : null;
    }

    /** {@code [outFeatures, inFeatures]}. */
    public Parameter weight() {
        return weight;
    }

    /** {@code [outFeatures]}, or null. */
    public Parameter bias() {
        return bias;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.linear(input, weight.tensor(), bias == null ? null : bias.tensor());
    }

    @Override
    protected String settings() {
        return "in_features=" + inFeatures + ", out_features=" + outFeatures + ", bias=" + (bias != null);
    }
}
