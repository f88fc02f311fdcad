package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/**
 * Reductions over the elements for which a mask (bool, broadcast) is true (torch.masked). A null mask is true
 * everywhere. If the mask selects no element, the result is the result of an empty reduction: 0, 1, an infinity or
 * NaN.
 */
public final class Masked {
    private Masked() {}

    // ---- folds

    /** Returns the sum of the selected elements; 0 for none. */
    public static Tensor sum(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> filled(input, mask, 0).sum(dims, keepDim));
    }

    /** Returns the product of the selected elements; 1 for none. */
    public static Tensor prod(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> filled(input, mask, 1).prod(dims, keepDim));
    }

    /** Returns the largest selected element; for none, -∞ or the dtype's lowest integer. */
    public static Tensor amax(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(
                () -> filled(input, mask, Numerics.lowest(input.dtype())).amax(dims, keepDim));
    }

    /** Returns the smallest selected element; for none, +∞ or the dtype's highest integer. */
    public static Tensor amin(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(
                () -> filled(input, mask, Numerics.highest(input.dtype())).amin(dims, keepDim));
    }

    /** Returns the index of the largest element, in the input's dtype, as in PyTorch. */
    public static Tensor argmax(Tensor input, @Nullable Tensor mask) {
        return Scope.tidy(() ->
                filled(input, mask, Numerics.lowest(input.dtype())).argmax().to(input.dtype()));
    }

    /** Like {@link #argmax(Tensor, Tensor)}, but along a dimension. */
    public static Tensor argmax(Tensor input, @Nullable Tensor mask, int dim, boolean keepDim) {
        return Scope.tidy(() -> filled(input, mask, Numerics.lowest(input.dtype()))
                .argmax(dim, keepDim)
                .to(input.dtype()));
    }

    /** Returns the index of the smallest element, in the input's dtype, as in PyTorch. */
    public static Tensor argmin(Tensor input, @Nullable Tensor mask) {
        return Scope.tidy(() ->
                filled(input, mask, Numerics.highest(input.dtype())).argmin().to(input.dtype()));
    }

    /** Like {@link #argmin(Tensor, Tensor)}, but along a dimension. */
    public static Tensor argmin(Tensor input, @Nullable Tensor mask, int dim, boolean keepDim) {
        return Scope.tidy(() -> filled(input, mask, Numerics.highest(input.dtype()))
                .argmin(dim, keepDim)
                .to(input.dtype()));
    }

    /** Returns log Σ exp(input), in the input's dtype. */
    public static Tensor logsumexp(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> filled(input, mask, Numerics.lowest(input.dtype()))
                .logsumexp(dims, keepDim)
                .to(input.dtype()));
    }

    // ---- statistics

    /** Returns the mean of the selected elements; NaN for none. */
    public static Tensor mean(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> sum(input, mask, dims, keepDim).div(count(input, mask, dims, keepDim)));
    }

    /** Returns the median of a dimension, the lower one of two. */
    public static Tensor median(Tensor input, @Nullable Tensor mask, int dim, boolean keepDim) {
        return Scope.tidy(() -> {
            Numerics.requireFloating("masked.median", input);
            return filled(input, mask, Double.NaN).nanmedian(dim, keepDim).values();
        });
    }

    public static Tensor norm(Tensor input, @Nullable Tensor mask, double order, int[] dims, boolean keepDim) {
        return Scope.tidy(() -> {
            boolean isSmallest = order == Double.NEGATIVE_INFINITY;
            return filled(input, mask, isSmallest ? Double.POSITIVE_INFINITY : 0)
                    .vectorNorm(order, dims, keepDim);
        });
    }

    /** Same as {@link StatisticsOps#var(int[], double, boolean)}. */
    public static Tensor var(Tensor input, @Nullable Tensor mask, int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(() -> {
            Tensor distances = input.sub(mean(input, mask, dims, true));
            Tensor weight = count(input, mask, dims, keepDim).sub(correction).clampMin(0);
            return sum(distances.square(), mask, dims, keepDim).div(weight);
        });
    }

    /** Same as {@link StatisticsOps#std(int[], double, boolean)}. */
    public static Tensor std(Tensor input, @Nullable Tensor mask, int[] dims, double correction, boolean keepDim) {
        return Scope.tidy(() -> var(input, mask, dims, correction, keepDim).sqrt());
    }

    // ---- along a dimension

    public static Tensor cumsum(Tensor input, @Nullable Tensor mask, int dim) {
        return Scope.tidy(() -> inOwnDType(input, filled(input, mask, 0).cumsum(dim)));
    }

    public static Tensor cumprod(Tensor input, @Nullable Tensor mask, int dim) {
        return Scope.tidy(() -> inOwnDType(input, filled(input, mask, 1).cumprod(dim)));
    }

    /** Casts an integer result back to the input's dtype. PyTorch does this for masked ops only. */
    private static Tensor inOwnDType(Tensor input, Tensor result) {
        return input.dtype().isIntegral() ? result.to(input.dtype()) : result;
    }

    public static Tensor softmax(Tensor input, @Nullable Tensor mask, int dim) {
        return Scope.tidy(() -> filled(input, mask, Double.NEGATIVE_INFINITY).softmax(dim));
    }

    public static Tensor logSoftmax(Tensor input, @Nullable Tensor mask, int dim) {
        return Scope.tidy(() -> filled(input, mask, Double.NEGATIVE_INFINITY).logSoftmax(dim));
    }

    public static Tensor softmin(Tensor input, @Nullable Tensor mask, int dim) {
        return Scope.tidy(() -> filled(input, mask, Double.POSITIVE_INFINITY).softmin(dim));
    }

    /** Returns the elements divided by the norm of their dimension, or by eps if the norm is smaller. */
    public static Tensor normalize(Tensor input, @Nullable Tensor mask, double order, int dim, double eps) {
        return Scope.tidy(() -> filled(input, mask, 0)
                .div(norm(input, mask, order, new int[] {dim}, true).clampMin(eps)));
    }

    /** Returns log(exp(input) + exp(other)), of two tensors with a mask each. */
    public static Tensor logaddexp(Tensor input, Tensor other, @Nullable Tensor inputMask, @Nullable Tensor otherMask) {
        return Scope.tidy(() -> filled(input, inputMask, Double.NEGATIVE_INFINITY)
                .logaddexp(filled(other, otherMask, Double.NEGATIVE_INFINITY)));
    }

    // ---- shared

    private static Tensor filled(Tensor input, @Nullable Tensor mask, Number value) {
        return mask == null ? input : input.maskedFill(requireMask(input, mask).logicalNot(), value);
    }

    /** Broadcasts the mask to the input, never the input to the mask, as in PyTorch. */
    private static Tensor requireMask(Tensor input, Tensor mask) {
        if (!mask.shape().broadcastsTo(input.shape())) {
            throw new OpException(
                    "masked", "the mask must broadcast to the input, got " + mask.shape() + " and " + input.shape());
        }
        return mask;
    }

    private static Tensor count(Tensor input, @Nullable Tensor mask, int[] dims, boolean keepDim) {
        Tensor chosen = input.onesLike(DType.BOOL);
        return filled(chosen, mask, 0).sum(dims, keepDim);
    }
}
