package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Scatters that reduce all writes to one position: {@code scatter_reduce} and {@code index_reduce}. */
public final class Reducing {
    /** Combines a source with a base at the positions of an index. */
    @FunctionalInterface
    private interface Writing {
        Tensor write(Scatter.Fn fn, Tensor base, Tensor source);
    }

    private final Writing writing;
    private final Shape written;
    private final ScatterReduce reduce;
    private final boolean includeSelf;

    private Reducing(Writing writing, Shape written, ScatterReduce reduce, boolean includeSelf) {
        this.writing = writing;
        this.written = written;
        this.reduce = reduce;
        this.includeSelf = includeSelf;
    }

    public static Reducing scatter(Tensor base, int dim, Tensor index, ScatterReduce reduce, boolean includeSelf) {
        int axis = Shapes.dim("scatter_reduce", Tensors.atleast1d(base).shape(), dim);
        Tensor positions = Tensors.atleast1d(Indexing.index("scatter_reduce", index));
        Writing writing = (fn, target, source) -> Dispatch.apply(new Scatter(fn, axis), target, positions, source);
        return new Reducing(writing, positions.shape(), reduce, includeSelf);
    }

    public static Reducing slices(Tensor base, int dim, Tensor index, ScatterReduce reduce, boolean includeSelf) {
        Shape shape = Tensors.atleast1d(base).shape();
        int axis = Shapes.dim("index_reduce", shape, dim);
        Tensor line = Indexing.line("index_reduce", index);
        Writing writing = (fn, target, source) -> Dispatch.apply(new IndexWrite(fn, axis), target, line, source);
        Shape written = Shapes.replaced(shape, axis, axis + 1, line.numel());
        return new Reducing(writing, written, reduce, includeSelf);
    }

    /** Applies the reduction. A scalar counts as a vector of one element, as in PyTorch. */
    public Tensor apply(Tensor base, Tensor source) {
        Tensor result = applyToLines(Tensors.atleast1d(base), Tensors.atleast1d(source));
        return base.dim() == 0 ? result.view(Shape.SCALAR) : result;
    }

    private Tensor applyToLines(Tensor base, Tensor source) {
        Tensor start = includeSelf ? base : writing.write(Scatter.Fn.SET, base, constant(base, identity(base.dtype())));
        return switch (reduce) {
            case SUM -> writing.write(Scatter.Fn.ADD, start, source);
            case PROD -> writing.write(Scatter.Fn.MUL, start, source);
            case AMAX -> writing.write(Scatter.Fn.MAX, start, source);
            case AMIN -> writing.write(Scatter.Fn.MIN, start, source);
            case MEAN -> mean(writing.write(Scatter.Fn.ADD, start, source));
        };
    }

    private Tensor mean(Tensor sum) {
        Tensor before = Creation.full(States.home(sum), sum.shape(), DType.INT64, includeSelf ? 1 : 0);
        Tensor counts = writing.write(Scatter.Fn.ADD, before, constant(sum, Scalar.of(DType.INT64, 1L)));
        Tensor divisors = Dispatch.binary(Binary.MAXIMUM, counts, Operand.of(1)).to(sum.dtype());
        return Dispatch.binary(sum.dtype().isFloating() ? Binary.DIV : Binary.FLOOR_DIV, sum, divisors);
    }

    private Tensor constant(Tensor like, Scalar value) {
        return Creation.full(States.home(like), written, value);
    }

    private Scalar identity(DType dtype) {
        return switch (reduce) {
            case SUM, MEAN -> Scalar.of(dtype, 0L);
            case PROD -> Scalar.of(dtype, 1L);
            case AMAX -> Operand.of(Numerics.lowest(dtype)).scalar().to(dtype);
            case AMIN -> Operand.of(Numerics.highest(dtype)).scalar().to(dtype);
        };
    }
}
