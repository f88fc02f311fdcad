package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.FoldGradients;

/**
 * √Σ x² of differences along the last dimension, which the result keeps with size 1. As in PyTorch's cdist, a distance of 0 has a gradient
 * of 0 and a second derivative of 0; that of {@link EuclideanNorm} is NaN.
 */
public final class EuclideanDistance extends EuclideanNorm {
    public EuclideanDistance() {
        super(-1);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofNorm) {
        Tensor norm = of(x);
        Tensor isZero = norm.eq(0);
        return ofNorm.mul(x.maskedFill(isZero, 0).div(FoldGradients.onesAt(isZero, norm)));
    }
}
