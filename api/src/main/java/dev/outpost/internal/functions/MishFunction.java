package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** x · tanh(softplus(x)); its derivative is t + x · σ(x) · (1 - t²), where t is that tangent. */
public final class MishFunction extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        return x.mul(x.softplus().tanh());
    }

    @Override
    public Tensor slope(Tensor x) {
        Tensor tangent = x.softplus().tanh();
        return tangent.add(x.mul(x.sigmoid()).mul(tangent.square().rsub(1)));
    }
}
