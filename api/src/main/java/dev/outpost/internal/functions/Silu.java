package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** x · σ(x); its derivative is σ(x) · (1 + x · (1 - σ(x))). */
public final class Silu extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        return x.mul(x.sigmoid());
    }

    @Override
    public Tensor slope(Tensor x) {
        Tensor gate = x.sigmoid();
        return gate.mul(gate.neg().add(1).mul(x).add(1));
    }
}
