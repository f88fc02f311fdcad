package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** While training: zeroes elements with probability p and scales the others by 1 / (1 - p). */
public final class Dropout extends Module {
    private final double p;

    public Dropout() {
        this(0.5);
    }

    public Dropout(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        this.p = p;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.dropout(input, p, isTraining());
    }

    @Override
    protected String settings() {
        return "p=" + number(p);
    }
}
