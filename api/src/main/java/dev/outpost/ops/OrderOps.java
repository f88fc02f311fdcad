package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Ordering;
import dev.outpost.internal.ops.Uniques;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Order, rank and repetition. NaN counts as the largest. */
public interface OrderOps extends HistogramOps {
    @Override
    Tensor self();

    /**
     * Sorts the last dimension in ascending order. Returns the elements and their old indices (int64), both in this tensor's shape.
     * The sort is stable.
     *
     * {@snippet file="OpExamplesTest.java" region="sort"}
     */
    default ValuesAndIndices sort() {
        return sort(-1, false);
    }

    /** Like {@link #sort()}, but in any dimension and either order. */
    default ValuesAndIndices sort(int dim, boolean descending) {
        return Ordering.sort(self(), dim, descending);
    }

    /** Returns the indices that sort the last dimension. */
    default Tensor argsort() {
        return argsort(-1, false);
    }

    /** Returns the indices that sort a dimension. */
    default Tensor argsort(int dim, boolean descending) {
        return Scope.tidy(() -> sort(dim, descending).indices());
    }

    /** Sorts the first dimension in ascending order. */
    default Tensor msort() {
        return Scope.tidy(() -> sort(0, false).values());
    }

    /**
     * Returns the {@code k} largest elements of the last dimension, largest first, and their indices (int64). For a
     * scalar and a {@code k} of 0 or 1, it returns the scalar.
     *
     * {@snippet file="OpExamplesTest.java" region="topk"}
     *
     * @throws OpException if the dimension has fewer than k elements
     */
    default ValuesAndIndices topk(long k) {
        return topk(k, -1, true, true);
    }

    /**
     * Returns the {@code k} largest or smallest elements of a dimension.
     *
     * @param sorted ignored: the result is always sorted
     */
    default ValuesAndIndices topk(long k, int dim, boolean largest, boolean sorted) {
        return Scope.tidy(() -> Ordering.topk(self(), k, dim, largest), ValuesAndIndices::tensors);
    }

    /** Same as {@link #kthvalue(long, int, boolean)}; the result lacks the dimension. */
    default ValuesAndIndices kthvalue(long k, int dim) {
        return kthvalue(k, dim, false);
    }

    /** Returns the {@code k}-th smallest element of a dimension, counted from 1. */
    default ValuesAndIndices kthvalue(long k, int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.kthvalue(self(), k, dim, keepDim), ValuesAndIndices::tensors);
    }

    /**
     * Returns the median of all elements, the lower one of two. NaN if any element is NaN, or if the tensor is empty.
     * Elements equal to the median share its gradient.
     */
    default Tensor median() {
        return Scope.tidy(() -> Ordering.median(self(), line -> line.median(0, false)));
    }

    /** Same as {@link #median(int, boolean)}; the result lacks the dimension. */
    default ValuesAndIndices median(int dim) {
        return median(dim, false);
    }

    /** Returns the median of a dimension, the lower one of two; NaN if any element is NaN. */
    default ValuesAndIndices median(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.median("median", self(), dim, keepDim, false), ValuesAndIndices::tensors);
    }

    /** Like {@link #median()}, but ignores NaN. */
    default Tensor nanmedian() {
        return Scope.tidy(() -> Ordering.median(self(), line -> line.nanmedian(0, false)));
    }

    /** Same as {@link #nanmedian(int, boolean)}; the result lacks the dimension. */
    default ValuesAndIndices nanmedian(int dim) {
        return nanmedian(dim, false);
    }

    /** Like {@link #median(int, boolean)}, but ignores NaN. */
    default ValuesAndIndices nanmedian(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.median("nanmedian", self(), dim, keepDim, true), ValuesAndIndices::tensors);
    }

    /** Same as {@link #mode(int, boolean)}; the result lacks the dimension. */
    default ValuesAndIndices mode(int dim) {
        return mode(dim, false);
    }

    /**
     * Returns the most frequent element of a dimension, the smallest if several are equally frequent, and its last
     * index.
     */
    default ValuesAndIndices mode(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.mode(self(), dim, keepDim), ValuesAndIndices::tensors);
    }

    /**
     * Returns the distinct elements in ascending order, a vector. Waits until the machine has counted them.
     *
     * {@snippet file="OpExamplesTest.java" region="unique"}
     */
    default Tensor unique() {
        return unique(true, false, false).values();
    }

    /**
     * Returns the distinct elements of the flattened tensor. Waits until the machine has counted them.
     *
     * @param sorted ignored: the result is always sorted
     */
    default UniqueResult unique(boolean sorted, boolean returnInverse, boolean returnCounts) {
        return Scope.tidy(() -> Uniques.ofElements(self(), returnInverse, returnCounts), UniqueResult::tensors);
    }

    /**
     * Returns the distinct slices of a dimension, in lexicographic order. Waits until the machine has counted them.
     */
    default UniqueResult unique(boolean sorted, boolean returnInverse, boolean returnCounts, int dim) {
        return Scope.tidy(() -> Uniques.ofSlices(self(), returnInverse, returnCounts, dim), UniqueResult::tensors);
    }

    /**
     * Returns the flattened tensor without elements that equal their predecessor. Waits until the machine has counted
     * the rest.
     */
    default UniqueResult uniqueConsecutive(boolean returnInverse, boolean returnCounts) {
        return Scope.tidy(() -> Uniques.ofRuns(self(), returnInverse, returnCounts), UniqueResult::tensors);
    }

    /**
     * Returns the slices of a dimension without those that equal their predecessor. Waits until the machine has
     * counted the rest.
     */
    default UniqueResult uniqueConsecutive(boolean returnInverse, boolean returnCounts, int dim) {
        return Scope.tidy(() -> Uniques.ofRuns(self(), returnInverse, returnCounts, dim), UniqueResult::tensors);
    }

    /**
     * Returns the positions of values in this tensor's sorted last dimension: for each value, the number of smaller elements
     * (int64).
     *
     * {@snippet file="OpExamplesTest.java" region="searchsorted"}
     *
     * @param values the values; their shape equals this tensor's except in the last dimension, or is any shape if this tensor is a
     *     vector
     * @param right true to count equal elements, too
     */
    default Tensor searchsorted(Tensor values, boolean right) {
        return Scope.tidy(() -> Ordering.searchsorted(self(), values, right));
    }

    /**
     * Returns for each element the number of sorted boundaries that are less than it (int64), or less or equal if
     * {@code right} is true.
     */
    default Tensor bucketize(Tensor boundaries, boolean right) {
        return Scope.tidy(() -> Ordering.searchsorted(boundaries, self(), right));
    }

    /** Returns the numbers of occurrences of 0, 1, … in this vector of integers. Waits for the largest element. */
    default Tensor bincount() {
        return bincount(null, 0);
    }

    /**
     * Like {@link #bincount()}, but with weights.
     *
     * @param weights the weight of each element, or null for 1
     * @param minLength the minimum length of the result
     */
    default Tensor bincount(@Nullable Tensor weights, long minLength) {
        return Scope.tidy(() -> Ordering.bincount(self(), weights, minLength));
    }

    /** True for each element that is among the test elements. */
    default Tensor isin(Tensor testElements) {
        return isin(testElements, false);
    }

    /** True for each element that is among the test elements or, if {@code invert} is true, is not. */
    default Tensor isin(Tensor testElements, boolean invert) {
        return Scope.tidy(() -> Ordering.isin(self(), testElements, invert));
    }
}
