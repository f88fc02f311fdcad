package dev.outpost.optim;

import dev.outpost.types.OpException;

/** The weight of a new value in an average. */
@FunctionalInterface
public interface Averaging {
    /** Returns the weight of the next value after {@code averaged} other values. */
    double weight(long averaged);

    /** Gives all values the same weight: stochastic weight averaging (Izmailov et al., 2018). */
    static Averaging swa() {
        return averaged -> 1.0 / (averaged + 1);
    }

    /** Gives older values exponentially less weight: an exponential moving average. PyTorch's decay is 0.999. */
    static Averaging ema(double decay) {
        if (!(decay >= 0 && decay <= 1)) {
            throw new OpException("ema", "the decay must be between 0 and 1, got " + decay);
        }
        return averaged -> averaged == 0 ? 1 : 1 - decay;
    }
}
