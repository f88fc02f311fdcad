package dev.outpost;

/** x · σ(x); its derivative is σ(x) · (1 + x · (1 - σ(x))). */
final class Silu extends ActivationWithDerivative {
    @Override
    Tensor value(Tensor x) {
        return x.mul(x.sigmoid());
    }

    @Override
    Tensor slope(Tensor x) {
        Tensor gate = x.sigmoid();
        return gate.mul(gate.neg().add(1).mul(x).add(1));
    }
}
