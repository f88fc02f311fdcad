package dev.outpost.nn;

import dev.outpost.Tensor;

/** x where it is above a threshold, another value elsewhere (torch.nn.Threshold). */
public final class Threshold extends Module {
    private final double threshold;
    private final double value;

    /**
     * @param threshold what x must be above
     * @param value the value elsewhere
     */
    public Threshold(double threshold, double value) {
        this.threshold = threshold;
        this.value = value;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.threshold(threshold, value);
    }

    @Override
    protected String settings() {
        return "threshold=" + number(threshold) + ", value=" + number(value);
    }
}
