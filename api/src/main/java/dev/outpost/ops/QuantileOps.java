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
        /** In proportion to the distances. */
        LINEAR,
        LOWER,
        HIGHER,
        /** The nearer one; the even one if both are as near. */
        NEAREST,
        MIDPOINT
    }

    Tensor self();

    /** The element that a share {@code q} of all elements lies below. */
    default Tensor quantile(double q) {
        return Scope.tidy(() -> self().flatten().quantile(q, 0, false, Interpolation.LINEAR));
    }

    /** As {@link #quantile(double, int, boolean, Interpolation)}, in proportion to the distances. */
    default Tensor quantile(double q, int dim, boolean keepDim) {
        return quantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /** As {@link #quantile(double)}, along a dimension; NaN if an element is. */
    default Tensor quantile(double q, int dim, boolean keepDim, Interpolation interpolation) {
        if (!(q >= 0 && q <= 1)) {
            throw new OpException("quantile", "the share must be between 0 and 1, got " + q);
        }
        return Scope.tidy(() -> quantile(
                Creation.full(States.home(self()), Shape.SCALAR, self().dtype(), q), dim, keepDim, interpolation));
    }

    /** As {@link #quantile(Tensor, int, boolean, Interpolation)}, in proportion to the distances. */
    default Tensor quantile(Tensor q, int dim, boolean keepDim) {
        return quantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /** As {@link #quantile(double, int, boolean, Interpolation)}, of several shares: a vector adds a dimension in front. */
    default Tensor quantile(Tensor q, int dim, boolean keepDim, Interpolation interpolation) {
        return Scope.tidy(() -> new Quantiles("quantile", self(), q, dim, interpolation).ofAll(keepDim));
    }

    /** As {@link #nanquantile(Tensor, int, boolean, Interpolation)}, in proportion to the distances. */
    default Tensor nanquantile(Tensor q, int dim, boolean keepDim) {
        return nanquantile(q, dim, keepDim, Interpolation.LINEAR);
    }

    /** As {@link #quantile(Tensor, int, boolean, Interpolation)}, NaN left aside. */
    default Tensor nanquantile(Tensor q, int dim, boolean keepDim, Interpolation interpolation) {
        return Scope.tidy(() -> new Quantiles("nanquantile", self(), q, dim, interpolation).ofNumbers(keepDim));
    }
}
