package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** {@link Gelu} with Φ(x) ≈ (1 + tanh(u)) / 2, where u = √(2/π) · (x + 0.044715 x³). */
public final class GeluTanh extends ActivationWithDerivative {
    private static final double CUBIC = 0.044715;
    private static final double SCALE = Math.sqrt(2 / Math.PI);

    @Override
    public Tensor value(Tensor x) {
        return x.mul(0.5).mul(bend(x).add(1));
    }

    /** (1 + tanh(u)) / 2 + x / 2 · (1 - tanh²(u)) · u'. */
    @Override
    public Tensor slope(Tensor x) {
        Tensor bend = bend(x);
        Tensor steepness = x.mul(x).mul(3 * CUBIC * SCALE).add(SCALE);
        Tensor change = bend.mul(bend).neg().add(1).mul(steepness);
        return bend.add(1).mul(0.5).add(x.mul(0.5).mul(change));
    }

    private static Tensor bend(Tensor x) {
        Tensor cubic = x.mul(x).mul(x).mul(CUBIC);
        return x.add(cubic).mul(SCALE).tanh();
    }
}
