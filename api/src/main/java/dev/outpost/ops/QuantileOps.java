package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Quantiles;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Quantiles. Floating dtypes only. */
public interface QuantileOps {
    /** The rule for a quantile that falls between two elements. */
    enum Interpolation {
        /** Interpolates linearly between the two elements. */
        LINEAR,
        LOWER,
        HIGHER,
        /** Takes the nearer element; if both are equally near, the element with an even index. */
        NEAREST,
        MIDPOINT
    }

    Tensor self();

    /** Returns the quantile {@code q} of all elements, with {@code q} in [0, 1]. */
    default Tensor quantile(double q) {
        return Scope.tidy(() -> self().flatten().quantile(q, 0, false, Interpolation.LINEAR));
    }

    /** Like {@link #quantile(double, int, boolean, Interpolation)}, but with linear interpolation. */
    default Tensor quantile(double q, int dim, boolean keepDim) {
        return quantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /** Like {@link #quantile(double)}, but along a dimension; NaN if an element is NaN. */
    default Tensor quantile(double q, int dim, boolean keepDim, Interpolation interpolation) {
        if (!(q >= 0 && q <= 1)) {
            throw new OpException("quantile", "the share must be between 0 and 1, got " + q);
        }
        return Scope.tidy(() -> quantile(
                Creation.full(States.home(self()), Shape.SCALAR, self().dtype(), q), dim, keepDim, interpolation));
    }

    /** Like {@link #quantile(Tensor, int, boolean, Interpolation)}, but with linear interpolation. */
    default Tensor quantile(Tensor q, int dim, boolean keepDim) {
        return quantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /**
     * Like {@link #quantile(double, int, boolean, Interpolation)}, but for several quantiles: a vector adds a
     * dimension in front.
     */
    default Tensor quantile(Tensor q, int dim, boolean keepDim, Interpolation interpolation) {
        return Scope.tidy(() -> new Quantiles("quantile", self(), q, dim, interpolation).ofAll(keepDim));
    }

    /** Like {@link #nanquantile(Tensor, int, boolean, Interpolation)}, but with linear interpolation. */
    default Tensor nanquantile(Tensor q, int dim, boolean keepDim) {
        return nanquantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /** Like {@link #quantile(Tensor, int, boolean, Interpolation)}, but ignores NaN. */
    default Tensor nanquantile(Tensor q, int dim, boolean keepDim, Interpolation interpolation) {
        return Scope.tidy(() -> new Quantiles("nanquantile", self(), q, dim, interpolation).ofNumbers(keepDim));
    }
}
