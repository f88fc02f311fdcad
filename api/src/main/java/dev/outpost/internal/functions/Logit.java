package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** log(x / (1 - x)); its derivative is 1 / (x · (1 - x)), infinity at either zero, and NaN outside [0, 1] as the function is. */
public final class Logit extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        return x.div(x.rsub(1)).log();
    }

    @Override
    public Tensor slope(Tensor x) {
        Tensor isInside = x.ge(0).logicalAnd(x.le(1));
        return x.mul(x.rsub(1)).abs().reciprocal().maskedFill(isInside.logicalNot(), Double.NaN);
    }
}
