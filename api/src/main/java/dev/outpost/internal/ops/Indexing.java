package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.InPlace;
import dev.outpost.internal.IndexTerms;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.ops.IndexOps;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.Supplier;

/** The implementation of {@link IndexOps}. */
public final class Indexing {
    private Indexing() {}

    /** Converts an index of any integral dtype to int64, which ops take. */
    public static Tensor int64(String op, Tensor index) {
        ArgumentChecks.required(index, "the index");
        if (!index.dtype().isIntegral()) {
            throw new OpException(op, DTypeAdvice.expected("the index", DType.INT64, index.dtype()));
        }
        return index.to(DType.INT64);
    }

    /** Converts an index to int64, which ops take. As in PyTorch, indices of 8 and 16 bits are refused. */
    public static Tensor index(String op, Tensor index) {
        DType dtype = ArgumentChecks.required(index, "the index").dtype();
        if (dtype != DType.INT64 && dtype != DType.INT32) {
            throw new OpException(op, DTypeAdvice.expected("the index", DType.INT64, dtype));
        }
        return index.to(DType.INT64);
    }

    /** Converts negative indices to positive ones. The machine checks the bounds. */
    public static Tensor checked(String op, Tensor index, long size) {
        return Dispatch.apply(new IndexCheck(size), index(op, index));
    }

    /** Returns an index as a vector. A scalar becomes a vector of length 1. */
    public static Tensor line(String op, Tensor index) {
        Tensor integers = index(op, index);
        return index.dim() == 0 ? integers.view(1) : integers;
    }

    public static Tensor full(String op, Tensor like, Shape shape, Number value) {
        return Creation.full(States.home(like), shape, op, value, like.dtype());
    }

    public static Tensor scalar(String op, Tensor like, Number value) {
        return full(op, like, Shape.SCALAR, value);
    }

    /** Gathers elements. A scalar counts as a vector of one element, as in PyTorch. */
    public static Tensor gather(Tensor tensor, int dim, Tensor index) {
        Tensor line = Tensors.atleast1d(tensor);
        Gather op = new Gather(Shapes.dim("gather", line.shape(), dim), IndexTerms.current());
        return shaped(Dispatch.apply(op, line, Tensors.atleast1d(index("gather", index))), index.shape());
    }

    public static Tensor select(Tensor tensor, int dim, Tensor index) {
        Tensor line = Tensors.atleast1d(tensor);
        IndexSelect op = new IndexSelect(Shapes.dim("index_select", line.shape(), dim), IndexTerms.current());
        Tensor selected = Dispatch.apply(op, line, line("index_select", index));
        return tensor.dim() == 0 ? selected.squeeze() : selected;
    }

    public static Tensor scatter(Scatter.Fn fn, Tensor base, int dim, Tensor index, Tensor source) {
        Tensor line = Tensors.atleast1d(base);
        Scatter op = new Scatter(fn, Shapes.dim("scatter", line.shape(), dim));
        Tensor positions = Tensors.atleast1d(index(op.label(), index));
        return shaped(Dispatch.apply(op, line, positions, Tensors.atleast1d(source)), base.shape());
    }

    public static Tensor writeSlices(Scatter.Fn fn, Tensor base, int dim, Tensor index, Tensor source) {
        Tensor line = Tensors.atleast1d(base);
        IndexWrite op = new IndexWrite(fn, Shapes.dim("index", line.shape(), dim));
        Tensor written = Dispatch.apply(op, line, line(op.label(), index), Tensors.atleast1d(source));
        return shaped(written, base.shape());
    }

    public static Tensor fillSlices(Tensor base, int dim, Tensor index, Number value) {
        Shape line = Tensors.atleast1d(base).shape();
        int at = Shapes.dim("index_fill", line, dim);
        Shape written = Shapes.replaced(line, at, at + 1, index.numel());
        Tensor positions = checked("index_fill", line("index_fill", index), line.size(at));
        return writeSlices(Scatter.Fn.SET, base, at, positions, full("index_fill", base, written, value));
    }

    public static Tensor put(Scatter.Fn fn, Tensor base, Tensor index, Tensor source) {
        Tensor checked = checked("put", index, base.numel());
        IndexWrite op = new IndexWrite(fn, 0);
        return Dispatch.apply(op, base.flatten(), checked.flatten(), source.flatten())
                .view(base.shape());
    }

    private static Tensor shaped(Tensor tensor, Shape shape) {
        return tensor.shape().equals(shape) ? tensor : tensor.view(shape);
    }

    /**
     * Computes a result from the target and writes it there, while it holds the storage's write lock. Closes the result, so no other
     * handle of it may exist.
     */
    public static Tensor written(Tensor target, Supplier<Tensor> computed) {
        Cell storage = States.cell(target);
        storage.beginWrite();
        try (Tensor result = computed.get()) {
            InPlace.assign(target, result);
        } finally {
            storage.endWrite();
        }
        return target;
    }

    public static Tensor takeAlongDim(Tensor tensor, Tensor indices, int dim) {
        int at = Shapes.dim("take_along_dim", tensor.shape(), dim);
        if (tensor.dim() != indices.dim()) {
            throw new OpException(
                    "take_along_dim",
                    "as many dimensions are needed, got " + tensor.shape() + " and " + indices.shape());
        }
        Shape line = Shapes.replaced(tensor.shape(), at, at + 1, 1);
        Shape indexLine = Shapes.replaced(indices.shape(), at, at + 1, 1);
        Shape common = Shape.broadcast("take_along_dim", line, indexLine);
        Tensor from = tensor.expand(Shapes.replaced(common, at, at + 1, tensor.size(at)));
        return from.gather(at, indices.expand(Shapes.replaced(common, at, at + 1, indices.size(at))));
    }

    /** Returns the number of true elements in a mask. Waits for the machine. */
    public static long count(Tensor mask) {
        return GradMode.noGrad(() -> mask.to(DType.INT64).sum().itemLong());
    }

    public static Tensor nonzero(Tensor mask) {
        return Dispatch.apply(new Nonzero(count(mask)), mask);
    }

    /** Returns the positions of a mask's true elements in the flattened mask, {@code [count]}. Waits until the machine has counted them. */
    public static Tensor positions(Tensor mask) {
        Tensor found = nonzero(mask.flatten());
        return found.view(found.size(0));
    }

    public static Tensor requireMask(String op, Tensor mask) {
        ArgumentChecks.required(mask, "the mask");
        if (mask.dtype() != DType.BOOL) {
            throw new OpException(op, DTypeAdvice.expected("the mask", DType.BOOL, mask.dtype()));
        }
        return mask;
    }

    public static Tensor maskedSelect(Tensor tensor, Tensor mask) {
        Shape shape = Shape.broadcast("masked_select", tensor.shape(), mask.shape());
        Tensor positions = positions(requireMask("masked_select", mask).expand(shape));
        return Dispatch.apply(new IndexSelect(0), tensor.expand(shape).flatten(), positions);
    }

    /** Replaces the elements where the mask is true. Tensor and mask broadcast with each other. */
    public static Tensor maskedScatter(Tensor tensor, Tensor mask, Tensor source) {
        Shape shape = Tensors.broadcastShapes(
                tensor.shape(), requireMask("masked_scatter", mask).shape());
        Tensor target = tensor.expand(shape);
        Tensor where = mask.expand(shape);
        if (shape.elements() == 0) {
            return Dispatch.where(where, source.flatten().narrow(0, 0, 0).view(shape), target);
        }
        if (source.numel() == 0) {
            throw new OpException("masked_scatter", "the source has no elements, got " + source.shape());
        }
        Tensor order = where.flatten().to(DType.INT64).cumsum(0).sub(1);
        Tensor positions = Dispatch.where(where.flatten(), order, Operand.of(0));
        Tensor values = Dispatch.apply(new IndexSelect(0), source.flatten(), positions);
        return Dispatch.where(where, values.view(shape), target);
    }
}
