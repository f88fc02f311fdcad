package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.ops.Dims;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/**
 * Reductions of dimensions: sums, extremes, tests of all elements; also {@link StatisticsOps}, {@link CumulativeOps}, {@link
 * DifferenceOps}, {@link QuantileOps} and {@link CovarianceOps}.
 *
 * <p>Negative dimensions count from the back. No dimensions, or an empty array, means all. Reduced dimensions are removed, or stay with
 * size 1 if {@code keepDim} is true. A NaN among the elements makes the result NaN unless an op says otherwise.
 */
public interface ReduceOps
        extends StatisticsOps, CumulativeOps, DifferenceOps, QuantileOps, CovarianceOps, DistanceOps {
    @Override
    Tensor self();

    // ---- sums and products: integers and bool accumulate in int64

    /**
     * Returns the sum of all elements, a scalar. Integers and bool are added in int64.
     *
     * {@snippet file="OpExamplesTest.java" region="sum"}
     */
    default Tensor sum() {
        return sum(Dims.ALL, false);
    }

    /**
     * Like {@link #sum()}, but over these dimensions, which are removed.
     *
     * @throws OpException if a dimension does not exist or is given twice
     */
    default Tensor sum(int... dims) {
        return sum(dims, false);
    }

    /** Like {@link #sum(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor sum(int dim, boolean keepDim) {
        return sum(new int[] {dim}, keepDim);
    }

    default Tensor sum(int[] dims, boolean keepDim) {
        return fold("sum", Reduce.Fn.SUM, accumulated(), keepDim, dims);
    }

    /** Returns the sum of the elements cast to a dtype. */
    default Tensor sum(DType dtype) {
        return sum(Dims.ALL, false, dtype);
    }

    /** Like {@link #sum(int, boolean)}, but casts the elements to a dtype first. */
    default Tensor sum(int dim, boolean keepDim, DType dtype) {
        return sum(new int[] {dim}, keepDim, dtype);
    }

    /** Same as {@link #sum(DType)}. */
    default Tensor sum(int[] dims, boolean keepDim, DType dtype) {
        return Scope.tidy(() -> self().to(dtype).sum(dims, keepDim).to(dtype));
    }

    /** Like {@link #nansum(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor nansum(int dim, boolean keepDim) {
        return nansum(new int[] {dim}, keepDim);
    }

    /** Returns the sum of the elements that are not NaN. */
    default Tensor nansum(int[] dims, boolean keepDim) {
        return Scope.tidy(() -> self().dtype().isFloating()
                ? ElementwiseFunctions.NAN_AS_ZERO.of(self()).sum(dims, keepDim)
                : sum(dims, keepDim));
    }

    /** Same as {@link #nansum(int[], boolean)}. */
    default Tensor nansum(int... dims) {
        return nansum(dims, false);
    }

    /**
     * Returns the product of all elements, a scalar. Integers and bool are multiplied in int64.
     *
     * {@snippet file="OpExamplesTest.java" region="prod"}
     */
    default Tensor prod() {
        return prod(Dims.ALL, false);
    }

    /** Like {@link #prod()}, but over these dimensions, which are removed. */
    default Tensor prod(int... dims) {
        return prod(dims, false);
    }

    /** Like {@link #prod(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor prod(int dim, boolean keepDim) {
        return prod(new int[] {dim}, keepDim);
    }

    default Tensor prod(int[] dims, boolean keepDim) {
        return fold("prod", Reduce.Fn.PROD, accumulated(), keepDim, dims);
    }

    /** Like {@link #prod(int, boolean)}, but casts the elements to a dtype first. */
    default Tensor prod(int dim, boolean keepDim, DType dtype) {
        return prod(new int[] {dim}, keepDim, dtype);
    }

    /** Returns the product of the elements cast to a dtype. */
    default Tensor prod(int[] dims, boolean keepDim, DType dtype) {
        return Scope.tidy(() -> self().to(dtype).prod(dims, keepDim).to(dtype));
    }

    /** Returns the number of elements that are not 0 (int64). */
    default Tensor countNonzero(int... dims) {
        return Scope.tidy(() -> self().ne(0).sum(dims));
    }

    /**
     * Sums over the dimensions in which a tensor of this shape was broadcast, so that the result has the shape. Returns the tensor
     * itself if it has the shape already.
     */
    default Tensor sumToSize(Shape shape) {
        return Scope.tidy(() -> {
            Shape from = self().shape();
            if (from.equals(shape)) {
                return shape.rank() == 0 ? accumulated() : self();
            }
            if (!shape.broadcastsTo(from)) {
                throw new OpException(
                        "sum_to_size", "the shape does not broadcast to the tensor's, got " + shape + " and " + from);
            }
            int added = from.rank() - shape.rank();
            long bits = Axes.all(added).bits();
            for (int dim = added; dim < from.rank(); dim++) {
                bits |= shape.size(dim - added) != from.size(dim) ? 1L << dim : 0;
            }
            Tensor sum = Dispatch.apply(new Reduce(Reduce.Fn.SUM, new Axes(bits), true), accumulated());
            return Dims.reshaped(sum, shape);
        });
    }

    /** Same as {@link #sumToSize(Shape)}. */
    default Tensor sumToSize(long... sizes) {
        return sumToSize(Shape.of(sizes));
    }

    // ---- extremes

    /** Returns the largest element. Equal elements share the gradient. Throws if there are no elements. */
    default Tensor amax(int... dims) {
        return amax(dims, false);
    }

    /** Like {@link #amax(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor amax(int dim, boolean keepDim) {
        return amax(new int[] {dim}, keepDim);
    }

    /** Same as {@link #amax(int...)}. */
    default Tensor amax(int[] dims, boolean keepDim) {
        return fold("amax", Reduce.Fn.MAX, self(), keepDim, dims);
    }

    /** Returns the smallest element. Equal elements share the gradient. Throws if there are no elements. */
    default Tensor amin(int... dims) {
        return amin(dims, false);
    }

    /** Like {@link #amin(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor amin(int dim, boolean keepDim) {
        return amin(new int[] {dim}, keepDim);
    }

    /** Same as {@link #amin(int...)}. */
    default Tensor amin(int[] dims, boolean keepDim) {
        return fold("amin", Reduce.Fn.MIN, self(), keepDim, dims);
    }

    /** Returns the largest of all elements. Equal elements share the gradient; so do NaN elements. */
    default Tensor max() {
        return Scope.tidy(
                () -> ElementwiseFunctions.chosenElement(self(), self().detach().amax()));
    }

    /** Returns the smallest of all elements. Equal elements share the gradient; so do NaN elements. */
    default Tensor min() {
        return Scope.tidy(
                () -> ElementwiseFunctions.chosenElement(self(), self().detach().amin()));
    }

    /**
     * Returns the largest elements along a dimension and their indices (int64). Of equal elements, it takes the first one. The
     * dimension is removed.
     *
     * {@snippet file="OpExamplesTest.java" region="max"}
     *
     * @throws OpException if the dimension has no elements
     */
    default ValuesAndIndices max(int dim) {
        return max(dim, false);
    }

    /** Same as {@link #max(int)}. */
    default ValuesAndIndices max(int dim, boolean keepDim) {
        return extremes("max", ArgReduce.Fn.ARGMAX, dim, keepDim);
    }

    /** Returns the smallest elements along a dimension and their indices; the first one of equal elements. */
    default ValuesAndIndices min(int dim) {
        return min(dim, false);
    }

    /** Same as {@link #min(int)}. */
    default ValuesAndIndices min(int dim, boolean keepDim) {
        return extremes("min", ArgReduce.Fn.ARGMIN, dim, keepDim);
    }

    /** Returns the smallest and the largest of all elements. */
    default MinAndMax aminmax() {
        return new MinAndMax(amin(), amax());
    }

    /** Returns the smallest and the largest elements along a dimension. */
    default MinAndMax aminmax(int dim) {
        return aminmax(dim, false);
    }

    /** Returns the smallest and the largest elements along a dimension. */
    default MinAndMax aminmax(int dim, boolean keepDim) {
        return new MinAndMax(amin(dim, keepDim), amax(dim, keepDim));
    }

    /**
     * Returns the row-major index (int64) of the largest element, the first one of equals.
     *
     * {@snippet file="OpExamplesTest.java" region="argmax"}
     *
     * @throws OpException if there are no elements
     */
    default Tensor argmax() {
        return indexOfAll(ArgReduce.Fn.ARGMAX);
    }

    /** Returns the index (int64) of the largest element along a dimension, the first of equals. */
    default Tensor argmax(int dim) {
        return argmax(dim, false);
    }

    /** Same as {@link #argmax(int)}. */
    default Tensor argmax(int dim, boolean keepDim) {
        return index("argmax", ArgReduce.Fn.ARGMAX, dim, keepDim);
    }

    /** Returns the row-major index (int64) of the smallest element, the first of equals. */
    default Tensor argmin() {
        return indexOfAll(ArgReduce.Fn.ARGMIN);
    }

    /** Returns the index (int64) of the smallest element along a dimension, the first of equals. */
    default Tensor argmin(int dim) {
        return argmin(dim, false);
    }

    /** Same as {@link #argmin(int)}. */
    default Tensor argmin(int dim, boolean keepDim) {
        return index("argmin", ArgReduce.Fn.ARGMIN, dim, keepDim);
    }

    // ---- tests of all elements

    /**
     * Returns true if no element is 0; true for no elements. The result is bool, or uint8 for uint8.
     *
     * {@snippet file="OpExamplesTest.java" region="all"}
     */
    default Tensor all(int... dims) {
        return all(dims, false);
    }

    /** Like {@link #all(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor all(int dim, boolean keepDim) {
        return all(new int[] {dim}, keepDim);
    }

    /** Same as {@link #all(int...)}. */
    default Tensor all(int[] dims, boolean keepDim) {
        return tested("all", Reduce.Fn.MIN, true, keepDim, dims);
    }

    /**
     * Returns true if an element is not 0; false for no elements. The result is bool, or uint8 for uint8.
     *
     * {@snippet file="OpExamplesTest.java" region="any"}
     */
    default Tensor any(int... dims) {
        return any(dims, false);
    }

    /** Like {@link #any(int...)}, but along a dimension, which stays with size 1 if {@code keepDim}. */
    default Tensor any(int dim, boolean keepDim) {
        return any(new int[] {dim}, keepDim);
    }

    /** Same as {@link #any(int...)}. */
    default Tensor any(int[] dims, boolean keepDim) {
        return tested("any", Reduce.Fn.MAX, false, keepDim, dims);
    }

    // ---- shared

    private Tensor fold(String op, Reduce.Fn fn, Tensor operand, boolean keepDim, int... dims) {
        return reduced(new Reduce(fn, Dims.axes(op, operand.shape(), dims), keepDim), operand);
    }

    private Tensor reduced(Reduce op, Tensor operand) {
        Tensor result = Dispatch.apply(op, operand);
        if (operand != self()) {
            operand.close();
        }
        return result;
    }

    private Tensor accumulated() {
        return self().dtype().isFloating() ? self() : self().to(DType.INT64);
    }

    private Tensor tested(String op, Reduce.Fn fn, boolean ofNone, boolean keepDim, int... dims) {
        if (self().dtype() != DType.UINT8) {
            return test(op, fn, ofNone, keepDim, dims);
        }
        try (Tensor truth = test(op, fn, ofNone, keepDim, dims)) {
            return truth.to(DType.UINT8);
        }
    }

    private Tensor test(String op, Reduce.Fn fn, boolean ofNone, boolean keepDim, int... dims) {
        Axes axes = Dims.axes(op, self().shape(), dims);
        if (Dims.count(self().shape(), axes) == 0) {
            Shape shape = Dims.reduced(self().shape(), axes, keepDim);
            return Creation.full(States.home(self()), shape, Scalar.of(ofNone));
        }
        return reduced(new Reduce(fn, axes, keepDim), self().to(DType.BOOL));
    }

    private Tensor index(String op, ArgReduce.Fn fn, int dim, boolean keepDim) {
        int axis = self().shape().normalizeDim(op, dim);
        return self().dim() == 0
                ? Dims.throughVector(self(), vector -> Dispatch.apply(new ArgReduce(fn, 0, true), vector))
                : Dispatch.apply(new ArgReduce(fn, axis, keepDim), self());
    }

    private Tensor indexOfAll(ArgReduce.Fn fn) {
        Tensor source = self().contiguous();
        Layout flat = States.layout(source).viewAs(Shape.of(self().numel()));
        Tensor vector = States.view(source, flat);
        Tensor index = Dispatch.apply(new ArgReduce(fn, 0, false), vector);
        vector.close();
        return index;
    }

    private ValuesAndIndices extremes(String op, ArgReduce.Fn fn, int dim, boolean keepDim) {
        Tensor indices = index(op, fn, dim, true);
        if (self().dim() == 0) {
            return new ValuesAndIndices(self().clone(), indices);
        }
        Tensor values = self().gather(dim, indices);
        if (keepDim) {
            return new ValuesAndIndices(values, indices);
        }
        Shape reduced = Dims.reduced(self().shape(), Dims.axes(op, self().shape(), dim), false);
        return new ValuesAndIndices(Dims.reshaped(values, reduced), Dims.reshaped(indices, reduced));
    }
}
