package dev.outpost.nn;

import dev.outpost.Tensor;

/** x where positive, slope · x elsewhere. */
public final class LeakyReLU extends Module {
    private final double slope;

    public LeakyReLU() {
        this(0.01);
    }

    public LeakyReLU(double slope) {
        this.slope = slope;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.leakyRelu(slope);
    }

    @Override
    protected String settings() {
        return "negative_slope=" + number(slope);
    }
}
