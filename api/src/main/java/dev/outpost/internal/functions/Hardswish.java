package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;

/** x times its hard sigmoid; its slope is 0 below -3, x / 3 + 1/2 up to 3, both bends among it, and 1 above and at NaN. */
public final class Hardswish extends ElementwiseFunction {
    @Override
    public Tensor value(Tensor x) {
        return x.mul(x.hardsigmoid());
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        Tensor bent = ofResult.mul(x.div(3).add(0.5));
        return Gradients.maskedOut(x.lt(-3), bent.where(x.le(3), ofResult));
    }
}
