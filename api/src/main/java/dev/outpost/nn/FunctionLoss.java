package dev.outpost.nn;

import dev.outpost.Tensor;

/** A loss without state: a function of predictions, targets and the reduction. */
public abstract class FunctionLoss extends Loss {
    private final Function function;

    FunctionLoss(Reduction reduction, Function function) {
        super(reduction);
        this.function = function;
    }

    @FunctionalInterface
    interface Function {
        Tensor of(Tensor input, Tensor target, Reduction reduction);
    }

    @Override
    public final Tensor forward(Tensor input, Tensor target) {
        return function.of(input, target, reduction());
    }
}
