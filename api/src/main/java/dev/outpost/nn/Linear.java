package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/** x · weightᵀ + bias, with weight {@code [outFeatures, inFeatures]}. */
public final class Linear extends Module {
    private final long inFeatures;
    private final long outFeatures;
    private final Parameter weight;
    private final @Nullable Parameter bias;

    /**
     * Creates a layer with a bias. Weight and bias begin uniform in [-1/√inFeatures, 1/√inFeatures], as in PyTorch.
     *
     * {@snippet file="ModuleExamplesTest.java" region="linear"}
     */
    public Linear(long inFeatures, long outFeatures) {
        this(inFeatures, outFeatures, true);
    }

    public Linear(long inFeatures, long outFeatures, boolean hasBias) {
        this.inFeatures = inFeatures;
        this.outFeatures = outFeatures;
        weight = parameter(
                "weight", Init.kaimingUniform(Math.sqrt(5), Fan.IN, Nonlinearity.LEAKY_RELU), outFeatures, inFeatures);
        double bound = inFeatures > 0 ? 1 / Math.sqrt(inFeatures) : 0;
        bias = hasBias ? parameter("bias", Init.uniform(-bound, bound), outFeatures) : null;
    }

    /**
     * Creates a layer without a bias that shares a weight, such as that of the embedding in a language model (tied
     * weights).
     */
    public Linear(Parameter weight) {
        this(weight, null);
    }

    /**
     * Uses existing parameters, which may be in other modules, too: a training step changes them for all.
     *
     * @param weight {@code [outFeatures, inFeatures]}
     * @param bias {@code [outFeatures]}, or null for none
     */
    public Linear(Parameter weight, @Nullable Parameter bias) {
        Shape shape = ArgumentChecks.required(weight, "the weight").shape();
        if (shape.rank() != 2) {
            throw new OpException("linear", "the weight must have two dimensions, got " + shape);
        }
        if (bias != null && !bias.shape().equals(Shape.of(shape.size(0)))) {
            throw new OpException("linear", "the bias does not fit the weight, got " + bias.shape() + " and " + shape);
        }
        inFeatures = shape.size(1);
        outFeatures = shape.size(0);
        this.weight = parameter("weight", weight);
        this.bias = bias == null ? null : parameter("bias", bias);
    }

    /** Returns the weight {@code [outFeatures, inFeatures]}. */
    public Parameter weight() {
        return weight;
    }

    /** Returns the bias {@code [outFeatures]}, or null. */
    public @Nullable Parameter bias() {
        return bias;
    }

    /**
     * Computes x · weightᵀ + bias: {@code [..., inFeatures]} gives {@code [..., outFeatures]}, in the input's dtype.
     *
     * @throws OpException if the last dimension is not inFeatures, or the dtypes of input and weight differ
     */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.linear(input, weight.tensor(), bias == null ? null : bias.tensor());
    }

    @Override
    protected String settings() {
        return "in_features=" + inFeatures + ", out_features=" + outFeatures + ", bias=" + flag(bias != null);
    }
}
