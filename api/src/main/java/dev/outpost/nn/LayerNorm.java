package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/** Normalizes to mean 0 and variance 1 over the last dimensions, then scales and shifts (Ba et al., 2016). */
public final class LayerNorm extends Module {
    private static final double DEFAULT_EPS = 1e-5;

    private final Shape normalizedShape;
    private final double eps;
    private final @Nullable Parameter weight;
    private final @Nullable Parameter bias;

    /**
     * Creates a layer with a weight, a bias and an eps of 1e-5.
     *
     * {@snippet file="ModuleExamplesTest.java" region="layerNorm"}
     *
     * @param normalizedShape the last dimensions of the input
     */
    public LayerNorm(long... normalizedShape) {
        this(ArgumentChecks.shape(normalizedShape), DEFAULT_EPS, true);
    }

    /** @param isAffine true for a weight and a bias */
    public LayerNorm(Shape normalizedShape, double eps, boolean isAffine) {
        this(normalizedShape, eps, isAffine, true);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param isAffine true for a weight
     * @param hasBias true for a bias as well
     */
    public LayerNorm(Shape normalizedShape, double eps, boolean isAffine, boolean hasBias) {
        this.normalizedShape = normalizedShape;
        this.eps = eps;
        weight = isAffine ? parameter("weight", Init.ones(), normalizedShape.toArray()) : null;
        bias = isAffine && hasBias ? parameter("bias", Init.zeros(), normalizedShape.toArray()) : null;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.layerNorm(
                input,
                normalizedShape.toArray(),
                weight == null ? null : weight.tensor(),
                bias == null ? null : bias.tensor(),
                eps);
    }

    /** Returns the weight, with the normalized shape, or null. */
    public @Nullable Parameter weight() {
        return weight;
    }

    /** Returns the bias, with the normalized shape, or null. */
    public @Nullable Parameter bias() {
        return bias;
    }

    @Override
    protected String settings() {
        return ModulePrinter.tuple(normalizedShape) + ", eps=" + number(eps) + ", elementwise_affine="
                + flag(weight != null) + ", bias=" + flag(bias != null);
    }
}
