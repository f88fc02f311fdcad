package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;

/** x times its hard sigmoid; its slope is 0 up to -3, x / 3 + 1/2 from there to 3, and 1 from 3 on and at NaN. */
public final class HardswishFunction extends ElementwiseFunction {
    @Override
    public Tensor value(Tensor x) {
        return x.mul(x.hardsigmoid());
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        Tensor bent = ofResult.mul(x.div(3).add(0.5));
        return Gradients.maskedOut(x.le(-3), bent.where(x.lt(3), ofResult));
    }
}
