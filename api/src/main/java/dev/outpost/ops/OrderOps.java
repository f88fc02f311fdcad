package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Ordering;
import dev.outpost.internal.ops.Uniques;
import org.jspecify.annotations.Nullable;

/** Order, rank and repetition. NaN counts as the largest. */
public interface OrderOps extends HistogramOps {
    @Override
    Tensor self();

    /** The last dimension in ascending order, and where its elements were. Equals stay in their order. */
    default ValuesAndIndices sort() {
        return sort(-1, false);
    }

    /** As {@link #sort()}, in any dimension and either order. */
    default ValuesAndIndices sort(int dim, boolean descending) {
        return Ordering.sort(self(), dim, descending);
    }

    /** The indices that sort the last dimension. */
    default Tensor argsort() {
        return argsort(-1, false);
    }

    /** The indices that sort a dimension. */
    default Tensor argsort(int dim, boolean descending) {
        return Scope.tidy(() -> sort(dim, descending).indices());
    }

    /** The first dimension in ascending order. */
    default Tensor msort() {
        return Scope.tidy(() -> sort(0, false).values());
    }

    /** The {@code k} largest of the last dimension, largest first; 0 or 1 of a scalar are the scalar. */
    default ValuesAndIndices topk(long k) {
        return topk(k, -1, true, true);
    }

    /**
     * The {@code k} largest or smallest of a dimension.
     *
     * @param sorted whether they must be in order; they always are
     */
    default ValuesAndIndices topk(long k, int dim, boolean largest, boolean sorted) {
        return Scope.tidy(() -> Ordering.topk(self(), k, dim, largest), ValuesAndIndices::tensors);
    }

    /** As {@link #kthvalue(long, int, boolean)}, of a dimension that goes away. */
    default ValuesAndIndices kthvalue(long k, int dim) {
        return kthvalue(k, dim, false);
    }

    /** The {@code k}-th smallest of a dimension, from 1. */
    default ValuesAndIndices kthvalue(long k, int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.kthvalue(self(), k, dim, keepDim), ValuesAndIndices::tensors);
    }

    /**
     * The median of all elements, the lower one of two; NaN if any is, or if there are none. Elements that are equal to it
     * share its gradient.
     */
    default Tensor median() {
        return Scope.tidy(() -> Ordering.median(self(), line -> line.median(0, false)));
    }

    /** As {@link #median(int, boolean)}, of a dimension that goes away. */
    default ValuesAndIndices median(int dim) {
        return median(dim, false);
    }

    /** The median of a dimension, the lower one of two; NaN if any is. */
    default ValuesAndIndices median(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.median("median", self(), dim, keepDim, false), ValuesAndIndices::tensors);
    }

    /** As {@link #median()}, NaN left aside. */
    default Tensor nanmedian() {
        return Scope.tidy(() -> Ordering.median(self(), line -> line.nanmedian(0, false)));
    }

    /** As {@link #nanmedian(int, boolean)}, of a dimension that goes away. */
    default ValuesAndIndices nanmedian(int dim) {
        return nanmedian(dim, false);
    }

    /** As {@link #median(int, boolean)}, NaN left aside. */
    default ValuesAndIndices nanmedian(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.median("nanmedian", self(), dim, keepDim, true), ValuesAndIndices::tensors);
    }

    /** As {@link #mode(int, boolean)}, of a dimension that goes away. */
    default ValuesAndIndices mode(int dim) {
        return mode(dim, false);
    }

    /** The most frequent of a dimension, the smallest of several, and the last place where it is. */
    default ValuesAndIndices mode(int dim, boolean keepDim) {
        return Scope.tidy(() -> Ordering.mode(self(), dim, keepDim), ValuesAndIndices::tensors);
    }

    /** The different elements, in ascending order. Waits for their number. */
    default Tensor unique() {
        return unique(true, false, false).values();
    }

    /**
     * The different elements of the flattened tensor. Waits for their number.
     *
     * @param sorted whether they must be in order; they always are
     */
    default UniqueResult unique(boolean sorted, boolean returnInverse, boolean returnCounts) {
        return Scope.tidy(() -> Uniques.ofElements(self(), returnInverse, returnCounts), UniqueResult::tensors);
    }

    /** The different slices of a dimension, in lexicographic order. Waits for their number. */
    default UniqueResult unique(boolean sorted, boolean returnInverse, boolean returnCounts, int dim) {
        return Scope.tidy(() -> Uniques.ofSlices(self(), returnInverse, returnCounts, dim), UniqueResult::tensors);
    }

    /** The flattened tensor without elements that equal the one before them. Waits for their number. */
    default UniqueResult uniqueConsecutive(boolean returnInverse, boolean returnCounts) {
        return Scope.tidy(() -> Uniques.ofRuns(self(), returnInverse, returnCounts), UniqueResult::tensors);
    }

    /** The slices of a dimension without those that equal the one before them. Waits for their number. */
    default UniqueResult uniqueConsecutive(boolean returnInverse, boolean returnCounts, int dim) {
        return Scope.tidy(() -> Uniques.ofRuns(self(), returnInverse, returnCounts, dim), UniqueResult::tensors);
    }

    /**
     * Where values belong in this sorted last dimension (int64): how many elements are less than each.
     *
     * @param values of this tensor's shape but for the last dimension, or of any shape if this has one dimension
     * @param right counts equal elements too
     */
    default Tensor searchsorted(Tensor values, boolean right) {
        return Scope.tidy(() -> Ordering.searchsorted(self(), values, right));
    }

    /** For each element, how many of the sorted boundaries are less (int64); with {@code right}, or equal. */
    default Tensor bucketize(Tensor boundaries, boolean right) {
        return Scope.tidy(() -> Ordering.searchsorted(boundaries, self(), right));
    }

    /** How often 0, 1, … occur in this vector of integers. Waits for the largest. */
    default Tensor bincount() {
        return bincount(null, 0);
    }

    /**
     * As {@link #bincount()}.
     *
     * @param weights what each element counts, or null for 1
     * @param minLength the least length of the result
     */
    default Tensor bincount(@Nullable Tensor weights, long minLength) {
        return Scope.tidy(() -> Ordering.bincount(self(), weights, minLength));
    }

    /** Whether each element is among the test elements. */
    default Tensor isin(Tensor testElements) {
        return isin(testElements, false);
    }

    /** Whether each element is, or with {@code invert} is not, among the test elements. */
    default Tensor isin(Tensor testElements, boolean invert) {
        return Scope.tidy(() -> Ordering.isin(self(), testElements, invert));
    }
}
