package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** x · Φ(x); its derivative is Φ(x) + x · φ(x), of the standard normal distribution. */
public final class Gelu extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        return x.mul(0.5).mul(twiceProbability(scaled(x)));
    }

    @Override
    public Tensor slope(Tensor x) {
        Tensor scaled = scaled(x);
        Tensor density = scaled.mul(scaled).neg().exp().mul(1 / Math.sqrt(2 * Math.PI));
        return twiceProbability(scaled).mul(0.5).add(x.mul(density));
    }

    /** As the error function wants it. */
    private static Tensor scaled(Tensor x) {
        return x.mul(Math.sqrt(0.5));
    }

    private static Tensor twiceProbability(Tensor scaled) {
        return scaled.erf().add(1);
    }
}
