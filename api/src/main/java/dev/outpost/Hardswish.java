package dev.outpost;

/** x times its hard sigmoid; its slope is 0 below -3, x / 3 + 1/2 up to 3, both bends among it, and 1 above and at NaN. */
final class Hardswish extends ElementwiseFunction {
    @Override
    Tensor value(Tensor x) {
        return x.mul(x.hardsigmoid());
    }

    @Override
    Tensor gradient(Tensor x, Tensor ofResult) {
        Tensor bent = ofResult.mul(x.div(3).add(0.5));
        return Gradients.maskedOut(x.lt(-3), bent.where(x.le(3), ofResult));
    }
}
