package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** √Σ x²; its gradient is x / norm, and 0 where the norm is 0. */
public class EuclideanNorm extends NormFunction {
    public EuclideanNorm(int... dims) {
        super(dims);
    }

    @Override
    public Tensor value(Tensor x) {
        return x.square().sum(dims, true).sqrt();
    }

    /** The norm is computed once more, so that gradients of the gradient go through it. */
    @Override
    public Tensor gradient(Tensor x, Tensor ofNorm) {
        Tensor norm = of(x);
        return ofNorm.mul(x.div(norm).maskedFill(norm.eq(0), 0));
    }
}
