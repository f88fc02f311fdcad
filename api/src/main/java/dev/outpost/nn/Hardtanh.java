package dev.outpost.nn;

import dev.outpost.Tensor;

/** x between two bounds (torch.nn.Hardtanh). */
public final class Hardtanh extends Module {
    private final double min;
    private final double max;

    /** With min -1, max 1. */
    public Hardtanh() {
        this(-1, 1);
    }

    /**
     * @param min the lower bound
     * @param max the upper bound
     */
    public Hardtanh(double min, double max) {
        this.min = min;
        this.max = max;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.hardtanh(min, max);
    }

    @Override
    protected String settings() {
        return "min_val=" + number(min) + ", max_val=" + number(max);
    }
}
