package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.function.Supplier;

/** The reduction of the losses of a batch's elements. */
public enum Reduction {
    /** They stay as they are. */
    NONE,
    /** Their mean; with weights the weighted one. */
    MEAN,
    /** Their sum. */
    SUM,
    /** The sum over the size of the first dimension. */
    BATCHMEAN;

    /** Of losses that are steps to it. */
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
