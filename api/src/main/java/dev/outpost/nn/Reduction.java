package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.function.Supplier;

/** The reduction of the losses of a batch's elements. */
public enum Reduction {
    /** No reduction: returns the loss of each element. */
    NONE,
    /** The mean of the losses; with weights the weighted mean. */
    MEAN,
    /** The sum of the losses. */
    SUM,
    /** The sum of the losses, divided by the size of the first dimension. */
    BATCHMEAN;

    /** Reduces losses, and frees the intermediate results. */
    Tensor of(Supplier<Tensor> losses) {
        return Scope.tidy(() -> apply(losses.get()));
    }

    Tensor apply(Tensor losses) {
        return switch (this) {
            case NONE -> losses;
            case MEAN -> losses.mean();
            case SUM -> losses.sum();
            case BATCHMEAN -> losses.sum().div(losses.dim() == 0 ? 1 : losses.size(0));
        };
    }
}
