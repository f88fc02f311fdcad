package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** A layer that drops elements at random while training. */
public abstract class DropoutLayer extends Module {
    private final double p;
    private final Function function;

    DropoutLayer(double p, Function function) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        this.p = p;
        this.function = function;
    }

    @FunctionalInterface
    interface Function {
        Tensor of(Tensor input, double p, boolean training);
    }

    @Override
    public final Tensor forward(Tensor input) {
        return function.of(input, p, isTraining());
    }

    @Override
    protected final String settings() {
        return "p=" + number(p) + ", inplace=False";
    }
}
