package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.FoldFunctions.CastRunningSum;
import dev.outpost.internal.ops.Dims;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;

/** Cumulative ops along a dimension: element i of the result combines elements 0 to i. */
public interface CumulativeOps {
    Tensor self();

    /**
     * Returns running sums along a dimension, in the tensor's shape: element i is the sum of the elements 0 to i. Integers and bool
     * accumulate in int64.
     *
     * {@snippet file="OpExamplesTest.java" region="cumsum"}
     *
     * @throws OpException if the dimension does not exist
     */
    default Tensor cumsum(int dim) {
        return accumulate("cumsum", Reduce.Fn.SUM, accumulated(), dim);
    }

    /** Returns the running sums of the elements cast to a dtype. */
    default Tensor cumsum(int dim, DType dtype) {
        boolean isCast = dtype.isFloating() && dtype != self().dtype() && Numerics.isRecorded(self());
        return isCast && self().dim() > 0
                ? CastRunningSum.of(self(), self().shape().normalizeDim("cumsum", dim), dtype)
                : accumulate("cumsum", Reduce.Fn.SUM, self().to(dtype), dim);
    }

    /** Returns running products; integers and bool accumulate in int64. */
    default Tensor cumprod(int dim) {
        return accumulate("cumprod", Reduce.Fn.PROD, accumulated(), dim);
    }

    /** Returns the running products of the elements cast to a dtype. */
    default Tensor cumprod(int dim, DType dtype) {
        return accumulate("cumprod", Reduce.Fn.PROD, self().to(dtype), dim);
    }

    /** Returns the largest element so far and its index; the last one of equal elements. */
    default ValuesAndIndices cummax(int dim) {
        return Scope.tidy(() -> runningExtremes("cummax", Reduce.Fn.MAX, dim), ValuesAndIndices::tensors);
    }

    /** Returns the smallest element so far and its index; the last one of equal elements. */
    default ValuesAndIndices cummin(int dim) {
        return Scope.tidy(() -> runningExtremes("cummin", Reduce.Fn.MIN, dim), ValuesAndIndices::tensors);
    }

    /**
     * Returns running {@link StatisticsOps#logsumexp}, without overflow or underflow. It takes log2(n) rounds, each
     * of which joins spans of twice the length (Hillis and Steele, "Data parallel algorithms", 1986).
     */
    default Tensor logcumsumexp(int dim) {
        return Scope.tidy(() -> {
            int axis = self().shape().normalizeDim("logcumsumexp", dim);
            Tensor spans = Numerics.wide(self());
            long size = self().dim() == 0 ? 1 : self().size(axis);
            for (long reach = 1; reach < size; reach *= 2) {
                Tensor first = spans.narrow(axis, 0, reach);
                Tensor rest = spans.narrow(axis, reach, size - reach);
                Tensor before = spans.narrow(axis, 0, size - reach);
                spans = Tensors.cat(List.of(first, rest.logaddexp(before)), axis);
            }
            return size <= 1 ? self().to(Numerics.resultDType(self())).clone() : spans.to(Numerics.resultDType(self()));
        });
    }

    private Tensor accumulated() {
        return self().dtype().isFloating() ? self() : self().to(DType.INT64);
    }

    private static Tensor accumulate(String op, Reduce.Fn fn, Tensor operand, int dim) {
        int axis = operand.shape().normalizeDim(op, dim);
        Cumulative cumulative = new Cumulative(fn, axis);
        return operand.dim() == 0
                ? Dims.throughVector(operand, vector -> Dispatch.apply(cumulative, vector))
                : Dispatch.apply(cumulative, operand);
    }

    private ValuesAndIndices runningExtremes(String op, Reduce.Fn fn, int dim) {
        int axis = self().shape().normalizeDim(op, dim);
        if (self().dim() == 0) {
            return new ValuesAndIndices(
                    self().clone(), Creation.full(States.home(self()), Shape.SCALAR, DType.INT64, 0));
        }
        Tensor indices = GradMode.noGrad(() -> lastMet(op, fn, axis));
        return new ValuesAndIndices(self().gather(axis, indices), indices);
    }

    /**
     * Returns the index of the latest element that equals the running extreme. After a NaN, only another NaN counts
     * as equal.
     */
    private Tensor lastMet(String op, Reduce.Fn fn, int axis) {
        Tensor numbers = self().dtype() == DType.BOOL ? self().to(DType.UINT8) : self();
        Tensor isMet = numbers.eq(accumulate(op, fn, numbers, axis));
        if (numbers.dtype().isFloating()) {
            isMet = isMet.logicalOr(numbers.isnan());
        }
        long[] sizes = new long[self().dim()];
        Arrays.fill(sizes, 1);
        sizes[axis] = self().size(axis);
        Tensor positions = Dims.reshaped(Creation.indices(States.home(self()), self().size(axis)), Shape.of(sizes));
        return accumulate("cummax", Reduce.Fn.MAX, positions.where(isMet, 0), axis);
    }
}
