package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Padding;
import dev.outpost.internal.ops.Rearranging;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.internal.ops.SliceLayouts;
import dev.outpost.types.OpException;

/** Ops that rearrange, repeat or pad elements. Their results have their own memory. */
public interface RearrangeOps {
    Tensor self();

    /**
     * Reverses the order of elements along dimensions. Returns a copy of the same shape.
     *
     * {@snippet file="OpExamplesTest.java" region="flip"}
     */
    default Tensor flip(int... dims) {
        return Scope.tidy(() -> Rearranging.flip(self(), Shapes.dims("flip", self().shape(), dims)));
    }

    /** Reverses the order of the columns. */
    default Tensor fliplr() {
        SliceLayouts.requireRank("fliplr", self().shape(), 2);
        return flip(1);
    }

    /** Reverses the order of the rows. */
    default Tensor flipud() {
        SliceLayouts.requireRank("flipud", self().shape(), 1);
        return flip(0);
    }

    /** Rotates by {@code turns} quarter turns in the plane of two dimensions, from the first toward the second. */
    default Tensor rot90(int turns, int dim1, int dim2) {
        return Scope.tidy(() -> Rearranging.rot90(self(), turns, dim1, dim2));
    }

    /**
     * Moves elements by {@code shift} positions in the flattened tensor. Elements that leave at the end return at the front.
     * Returns a copy of the same shape.
     *
     * {@snippet file="OpExamplesTest.java" region="roll"}
     */
    default Tensor roll(long shift) {
        return Scope.tidy(() -> flat().roll(shift, 0).view(self().shape()));
    }

    /** Like {@link #roll(long)}, but along one dimension. */
    default Tensor roll(long shift, int dim) {
        return Scope.tidy(() -> Rearranging.roll(self(), shift, dim));
    }

    /** Like {@link #roll(long, int)}, but along several dimensions. */
    default Tensor roll(long[] shifts, int[] dims) {
        return Scope.tidy(() -> {
            if (shifts.length != dims.length) {
                throw new OpException(
                        "roll",
                        "as many shifts as dimensions are needed, got " + shifts.length + " and " + dims.length);
            }
            if (shifts.length == 0) {
                throw new OpException("roll", "at least one shift is needed, got none");
            }
            Tensor rolled = self();
            for (int index = 0; index < dims.length; index++) {
                rolled = rolled.roll(shifts[index], dims[index]);
            }
            return rolled;
        });
    }

    /**
     * Repeats the whole tensor along each dimension. Counts beyond its rank create new dimensions in front.
     *
     * {@snippet file="OpExamplesTest.java" region="repeat"}
     *
     * @throws OpException if there are fewer counts than dimensions, or a count is negative
     */
    default Tensor repeat(long... repeats) {
        return Scope.tidy(() -> Rearranging.repeat(self(), repeats));
    }

    /** Like {@link #repeat}, but with 1 for missing counts in front. */
    default Tensor tile(long... repeats) {
        return Scope.tidy(() -> Rearranging.repeat(self(), Rearranging.paddedCounts(repeats, self().dim())));
    }

    /** Repeats every element of the flattened tensor. */
    default Tensor repeatInterleave(int repeats) {
        return Scope.tidy(() -> flat().repeatInterleave(repeats, 0));
    }

    /** Repeats every element of a dimension. */
    default Tensor repeatInterleave(int repeats, int dim) {
        return Scope.tidy(() -> Rearranging.repeatInterleave(self(), repeats, dim));
    }

    /**
     * Returns the lower triangle of the last two dimensions, and 0 above it.
     *
     * {@snippet file="OpExamplesTest.java" region="tril"}
     *
     * @throws OpException if there are fewer than two dimensions
     */
    default Tensor tril() {
        return tril(0);
    }

    /** Like {@link #tril()}, but up to a diagonal above (positive) or below the main diagonal. */
    default Tensor tril(long diagonal) {
        return Scope.tidy(() -> Rearranging.triangle("tril", self(), diagonal, true));
    }

    /** Returns the upper triangle of the last two dimensions, the rest 0. */
    default Tensor triu() {
        return triu(0);
    }

    /** Like {@link #triu()}, but from a diagonal above (positive) or below the main diagonal. */
    default Tensor triu(long diagonal) {
        return Scope.tidy(() -> Rearranging.triangle("triu", self(), diagonal, false));
    }

    /** Returns a vector as the main diagonal of a matrix, or a matrix's diagonal as a vector. */
    default Tensor diag() {
        return diag(0);
    }

    /** Like {@link #diag()}, but for a diagonal above (positive) or below the main diagonal. */
    default Tensor diag(long diagonal) {
        return Scope.tidy(() -> {
            return switch (self().dim()) {
                case 1 -> diagEmbed(diagonal, 0, 1);
                case 2 -> self().diagonal(diagonal, 0, 1).clone();
                default -> throw new OpException("diag", "a vector or a matrix is expected, got " + self().shape());
            };
        });
    }

    /** Returns matrices in two new last dimensions, with the last dimension as their diagonal. */
    default Tensor diagEmbed() {
        return diagEmbed(0, -2, -1);
    }

    /** Returns matrices in two new dimensions, with the last dimension as one of their diagonals. */
    default Tensor diagEmbed(long offset, int dim1, int dim2) {
        return Scope.tidy(() -> Rearranging.diagEmbed(self(), offset, dim1, dim2));
    }

    /** Returns a matrix with all elements on a diagonal. */
    default Tensor diagflat(long offset) {
        return Scope.tidy(() -> flat().diagEmbed(offset, 0, 1));
    }

    /** Returns the sum of a matrix's diagonal. */
    default Tensor trace() {
        if (self().dim() != 2) {
            throw new OpException("trace", "a matrix is expected, got " + self().shape());
        }
        return Scope.tidy(() -> self().diagonal(0, 0, 1).sum());
    }

    /**
     * Pads the tensor with a number (torch.nn.functional.pad).
     *
     * {@snippet file="OpExamplesTest.java" region="pad"}
     *
     * @param counts pairs with the number of elements before and after, for the last dimension first; negative numbers remove
     *     elements
     * @throws OpException if the number of counts is odd, or there are more pairs than dimensions
     */
    default Tensor pad(Number value, long... counts) {
        return Scope.tidy(() -> new Padding(self(), counts).constant(value));
    }

    /** Like {@link #pad(Number, long...)}, but with copies of the tensor's elements. */
    default Tensor pad(PadMode mode, long... counts) {
        return Scope.tidy(() -> new Padding(self(), counts).copied(mode));
    }

    private Tensor flat() {
        return self().flatten();
    }
}
