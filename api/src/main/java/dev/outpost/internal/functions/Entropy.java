package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** -x · log(x), 0 at 0 and -∞ below; its derivative is -(1 + log(x)), everywhere. */
public final class Entropy extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        return x.xlogy(x).neg().maskedFill(x.lt(0), Double.NEGATIVE_INFINITY);
    }

    @Override
    public Tensor slope(Tensor x) {
        return x.log().add(1).neg();
    }
}
