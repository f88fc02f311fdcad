package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.ops.OrderOps;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.NumberRange;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.Function;

/** The implementation of {@link OrderOps} by sorting. */
public final class Ordering {
    private Ordering() {}

    /** Applies a function to a vector. A scalar counts as a vector of one element, as in PyTorch. */
    private static ValuesAndIndices ofLine(Tensor tensor, Function<Tensor, ValuesAndIndices> function) {
        if (tensor.dim() > 0) {
            return function.apply(tensor);
        }
        ValuesAndIndices found = function.apply(tensor.view(1));
        return new ValuesAndIndices(
                found.values().view(Shape.SCALAR), found.indices().view(Shape.SCALAR));
    }

    public static ValuesAndIndices sort(Tensor tensor, int dim, boolean descending) {
        return ofLine(tensor, line -> {
            Tensor[] results = Dispatch.applyAll(new Sort(Shapes.dim("sort", line.shape(), dim), descending), line);
            return new ValuesAndIndices(results[0], results[1]);
        });
    }

    public static ValuesAndIndices topk(Tensor tensor, long k, int dim, boolean largest) {
        // PyTorch returns a scalar also for a k of 0.
        long count = tensor.dim() == 0 && k == 0 ? 1 : k;
        return ofLine(tensor, line -> topkOfLine(line, count, dim, largest));
    }

    private static ValuesAndIndices topkOfLine(Tensor tensor, long k, int dim, boolean largest) {
        int at = Shapes.dim("topk", tensor.shape(), dim);
        if (k < 0 || k > tensor.size(at)) {
            throw new OpException(
                    "topk",
                    "k must be between 0 and " + tensor.size(at) + ", the size of dimension " + at + ", got " + k);
        }
        ValuesAndIndices sorted = tensor.sort(at, largest);
        return new ValuesAndIndices(first(sorted.values(), at, k), first(sorted.indices(), at, k));
    }

    /** Returns a copy, because a view would keep all sorted elements alive. */
    private static Tensor first(Tensor sorted, int dim, long k) {
        return k == sorted.size(dim) ? sorted : sorted.narrow(dim, 0, k).clone();
    }

    public static ValuesAndIndices kthvalue(Tensor tensor, long k, int dim, boolean keepDim) {
        return ofLine(tensor, line -> kthvalueOfLine(line, k, dim, keepDim));
    }

    private static ValuesAndIndices kthvalueOfLine(Tensor tensor, long k, int dim, boolean keepDim) {
        int at = Shapes.dim("kthvalue", tensor.shape(), dim);
        if (k < 1 || k > tensor.size(at)) {
            throw new OpException(
                    "kthvalue",
                    "k must be between 1 and " + tensor.size(at) + ", the size of dimension " + at + ", got " + k);
        }
        return at(
                tensor.sort(at, false),
                at,
                Creation.full(States.home(tensor), line(tensor, at), DType.INT64, k - 1),
                keepDim);
    }

    /** Takes one element at a position from each vector along a dimension. */
    private static ValuesAndIndices at(ValuesAndIndices lines, int dim, Tensor position, boolean keepDim) {
        Tensor values = lines.values().gather(dim, position);
        Tensor indices = lines.indices().gather(dim, position);
        return keepDim
                ? new ValuesAndIndices(values, indices)
                : new ValuesAndIndices(values.squeeze(dim), indices.squeeze(dim));
    }

    private static Shape line(Tensor tensor, int dim) {
        return Shapes.replaced(tensor.shape(), dim, dim + 1, 1);
    }

    /** Computes the median of all elements as one vector. */
    public static Tensor median(Tensor tensor, Function<Tensor, ValuesAndIndices> ofLine) {
        if (tensor.numel() == 0) {
            return medianOfNone(tensor);
        }
        Tensor elements = tensor.detach();
        return ElementwiseFunctions.chosenElement(
                tensor, ofLine.apply(elements.flatten()).values());
    }

    /** Returns NaN, or for an integer dtype the same number as PyTorch. */
    private static Tensor medianOfNone(Tensor tensor) {
        DType dtype = tensor.dtype();
        if (dtype.isFloating()) {
            return tensor.sum().add(Double.NaN);
        }
        boolean isLowest = dtype == DType.INT64 || dtype == DType.INT32;
        return Creation.full(
                States.home(tensor),
                Shape.SCALAR,
                dtype,
                isLowest ? NumberRange.of(dtype).lowest() : 0);
    }

    public static ValuesAndIndices median(String op, Tensor tensor, int dim, boolean keepDim, boolean skipNan) {
        return ofLine(tensor, line -> medianOfLine(op, line, dim, keepDim, skipNan));
    }

    /** NaN is sorted last, so the first NaN follows directly after the numbers. */
    private static ValuesAndIndices medianOfLine(String op, Tensor tensor, int dim, boolean keepDim, boolean skipNan) {
        int at = Shapes.dim(op, tensor.shape(), dim);
        long size = tensor.size(at);
        if (size == 0) {
            throw new OpException(
                    op, "nothing to choose from in dimension " + at + " of size 0, got " + tensor.shape());
        }
        Tensor numbers = sum(Dispatch.apply(Unary.IS_NAN, tensor).eq(0), at);
        Tensor middleOfNumbers = Dispatch.binary(Binary.FLOOR_DIV, numbers.sub(1), Operand.of(2));
        Tensor position = skipNan
                ? Dispatch.binary(Binary.MAXIMUM, middleOfNumbers, Operand.of(0))
                : Dispatch.where(numbers.eq(size), Operand.of((size - 1) / 2), numbers);
        return at(tensor.sort(at, false), at, position, keepDim);
    }

    private static Tensor sum(Tensor condition, int dim) {
        return Dispatch.apply(new Reduce(Reduce.Fn.SUM, Axes.of(dim), true), condition.to(DType.INT64));
    }

    public static ValuesAndIndices mode(Tensor tensor, int dim, boolean keepDim) {
        return ofLine(tensor, line -> modeOfLine(line, dim, keepDim));
    }

    /** Finds the mode: the end of the longest run of equal elements in the sorted vector. */
    private static ValuesAndIndices modeOfLine(Tensor tensor, int dim, boolean keepDim) {
        int at = Shapes.dim("mode", tensor.shape(), dim);
        ValuesAndIndices sorted = tensor.sort(at, false);
        Tensor lines = sorted.values().detach().transpose(at, -1);
        Tensor positions = Creation.indices(States.home(tensor), lines.size(-1));
        Tensor starts = Gradients.masked(Uniques.changes(lines), positions.expand(lines.shape()));
        Tensor runStart = Dispatch.apply(new Cumulative(Reduce.Fn.MAX, lines.dim() - 1), starts);
        Tensor longest =
                Dispatch.apply(new ArgReduce(ArgReduce.Fn.ARGMAX, lines.dim() - 1, true), positions.sub(runStart));
        return at(sorted, at, longest.transpose(at, -1), keepDim);
    }

    public static Tensor searchsorted(Tensor sorted, Tensor values, boolean right) {
        boolean fits = sorted.dim() == 1
                || sorted.dim() == values.dim()
                        && line(sorted, sorted.dim() - 1).equals(line(values, values.dim() - 1));
        if (!fits) {
            throw new OpException(
                    "searchsorted",
                    "all dimensions but the last must match, got " + sorted.shape() + " and " + values.shape());
        }
        Tensor boundaries = sorted.dim() == 1 ? sorted : sorted.unsqueeze(-2);
        Tensor sought = values.unsqueeze(-1);
        Tensor isBefore = Dispatch.binary(right ? Binary.LE : Binary.LT, boundaries, sought);
        // NaN is larger than all numbers.
        Tensor counted = values.dtype().isFloating()
                ? Dispatch.binary(Binary.OR, isBefore, Dispatch.apply(Unary.IS_NAN, sought))
                : isBefore;
        return sum(counted, values.dim()).squeeze(values.dim());
    }

    public static Tensor bincount(Tensor tensor, Tensor weights, long minLength) {
        if (tensor.dim() != 1) {
            throw new OpException("bincount", "one dimension is expected, got " + tensor.shape());
        }
        Tensor index = Indexing.int64("bincount", tensor);
        Tensor counted = counted(tensor, weights);
        Shape shape = Shape.of(Math.max(largest(index) + 1, minLength));
        Tensor zeros = Creation.full(States.home(tensor), shape, counted.dtype(), 0);
        return Dispatch.apply(new IndexWrite(Scatter.Fn.ADD, 0), zeros, index, counted);
    }

    private static Tensor counted(Tensor tensor, Tensor weights) {
        if (weights == null) {
            return Creation.full(States.home(tensor), tensor.shape(), DType.INT64, 1);
        }
        return weights.dtype().isFloating() ? weights : weights.to(DType.FLOAT64);
    }

    /** Returns the largest element, or -1 for an empty tensor. Waits. */
    private static long largest(Tensor index) {
        return index.numel() == 0
                ? -1
                : Dispatch.apply(new Reduce(Reduce.Fn.MAX, Axes.of(0), false), index)
                        .itemLong();
    }

    public static Tensor isin(Tensor tensor, Tensor testElements, boolean invert) {
        Tensor hits = tensor.unsqueeze(-1)
                .eq(ArgumentChecks.required(testElements, "the elements").flatten());
        Tensor found = sum(hits, tensor.dim()).squeeze(tensor.dim());
        return invert ? found.eq(0) : found.gt(0);
    }
}
