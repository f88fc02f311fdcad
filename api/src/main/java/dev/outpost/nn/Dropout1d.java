package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** Zeroes whole channels of lines while training; see {@link Dropouts#dropout1d} (torch.nn.Dropout1d). */
public final class Dropout1d extends Module {
    private final double p;

    /** With probability 0.5. */
    public Dropout1d() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public Dropout1d(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        this.p = p;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Dropouts.dropout1d(input, p, isTraining());
    }

    @Override
    protected String settings() {
        return "p=" + number(p);
    }
}
