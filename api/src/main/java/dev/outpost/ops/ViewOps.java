package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Indexing;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.internal.ops.SliceLayouts;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Views of parts of a tensor: nothing is copied, and a write to the tensor or the view changes both. */
public interface ViewOps extends ShapeOps, RearrangeOps, PartWriteOps {
    @Override
    Tensor self();

    /**
     * Returns {@code length} elements of a dimension from {@code start} on, as a view. A negative start counts from the back.
     *
     * {@snippet file="OpExamplesTest.java" region="narrow"}
     *
     * @throws OpException if the part exceeds the dimension
     */
    default Tensor narrow(int dim, long start, long length) {
        return States.view(self(), SliceLayouts.narrow(States.layout(self()), dim, start, length));
    }

    /** Like {@link #narrow(int, long, long)}, but with the start in an integer scalar. Waits for its value. */
    default Tensor narrow(int dim, Tensor start, long length) {
        return narrow(dim, Indexing.int64("narrow", start).itemLong(), length);
    }

    /** Returns a copy of {@link #narrow(int, long, long)}. */
    default Tensor narrowCopy(int dim, long start, long length) {
        return narrow(dim, start, length).clone();
    }

    /**
     * Returns one index of a dimension, which is removed, as a view. A negative index counts from the back.
     *
     * {@snippet file="OpExamplesTest.java" region="select"}
     *
     * @throws OpException if the index is outside of the dimension
     */
    default Tensor select(int dim, long index) {
        return States.view(self(), SliceLayouts.select(States.layout(self()), dim, index));
    }

    /**
     * Returns Python's {@code start:end:step} in a dimension, as a view: bounds beyond the dimension are clamped,
     * negative ones count from the back.
     *
     * {@snippet file="OpExamplesTest.java" region="slice"}
     *
     * @throws OpException if the step is not positive
     */
    default Tensor slice(int dim, long start, long end, long step) {
        return States.view(self(), SliceLayouts.slice(States.layout(self()), dim, start, end, step));
    }

    /** Like {@link #slice(int, long, long, long)}, but with step 1. */
    default Tensor slice(int dim, long start, long end) {
        return slice(dim, start, end, 1);
    }

    /** Same as {@link #slice(int, long, long)}. A null end stands for a bound that Python would leave out. */
    default Tensor slice(int dim, long start, @Nullable Long end) {
        return slice(dim, start, end == null ? Long.MAX_VALUE : end, 1);
    }

    /** Same as {@link #slice(int, long, long)}. A null start stands for a bound that Python would leave out. */
    default Tensor slice(int dim, @Nullable Long start, long end) {
        return slice(dim, start == null ? 0 : start, end, 1);
    }

    /** Returns Python's {@code start:} in a dimension, from an index to the end. */
    default Tensor slice(int dim, long start) {
        return slice(dim, start, Long.MAX_VALUE, 1);
    }

    /** Selects an index in each of the first dimensions. */
    default Tensor get(long... indices) {
        Layout layout = States.layout(self());
        for (long index : indices) {
            layout = SliceLayouts.select(layout, 0, index);
        }
        return States.view(self(), layout);
    }

    /**
     * Returns windows of {@code size} elements, {@code step} apart, in a dimension. A new last dimension holds the
     * elements of a window.
     */
    default Tensor unfold(int dim, long size, long step) {
        return States.view(self(), SliceLayouts.unfold(States.layout(self()), dim, size, step));
    }

    /** Returns the main diagonal of the first two dimensions. */
    default Tensor diagonal() {
        return diagonal(0, 0, 1);
    }

    /** Returns a diagonal of two dimensions as a new last dimension; a positive offset is above the main diagonal. */
    default Tensor diagonal(long offset, int dim1, int dim2) {
        return States.view(self(), SliceLayouts.diagonal(States.layout(self()), offset, dim1, dim2));
    }

    /**
     * Returns a view of this tensor's storage with sizes and strides. The offset counts from the storage's first
     * element.
     */
    default Tensor asStrided(long[] sizes, long[] strides, long storageOffset) {
        Layout layout = Layout.of(Shape.of(sizes), strides, storageOffset);
        new AsStrided(layout).infer(States.cell(self()).type());
        return States.view(self(), layout);
    }

    /** Splits a dimension into its indices, each without the dimension. */
    default List<Tensor> unbind(int dim) {
        int at = Shapes.dim("unbind", self().shape(), dim);
        return LongStream.range(0, self().size(at))
                .mapToObj(index -> select(at, index))
                .toList();
    }

    /** Splits into pieces of {@code size}; the last one may be smaller. */
    default List<Tensor> split(long size, int dim) {
        return SliceLayouts.split(self(), size, dim);
    }

    /**
     * Like {@link #split(long, int)}, but along the first dimension.
     *
     * {@snippet file="OpExamplesTest.java" region="split"}
     */
    default List<Tensor> split(long size) {
        return split(size, 0);
    }

    /** Splits into pieces of given sizes, whose sum is the dimension's size. */
    default List<Tensor> split(long[] sizes, int dim) {
        return SliceLayouts.split(self(), sizes, dim);
    }

    /**
     * Splits a dimension into at most {@code chunks} views of one size; the last one may be smaller.
     *
     * {@snippet file="OpExamplesTest.java" region="chunk"}
     *
     * @throws OpException if the number of chunks is not positive
     */
    default List<Tensor> chunk(int chunks, int dim) {
        return SliceLayouts.chunk(self(), chunks, dim);
    }

    /** Splits into exactly {@code sections} pieces. The first ones are larger by one if the size is not divisible. */
    default List<Tensor> tensorSplit(int sections, int dim) {
        return SliceLayouts.tensorSplit(self(), sections, dim);
    }

    /** Splits before each of the given indices. */
    default List<Tensor> tensorSplit(long[] indices, int dim) {
        return SliceLayouts.tensorSplit(self(), indices, dim);
    }

    /** Splits like the other overloads, with an integer scalar for sections or a vector for indices. Waits for the values. */
    default List<Tensor> tensorSplit(Tensor sectionsOrIndices, int dim) {
        Tensor integers = Indexing.int64("tensor_split", sectionsOrIndices);
        return integers.dim() == 0
                ? tensorSplit((int) integers.itemLong(), dim)
                : tensorSplit(integers.toLongArray(), dim);
    }

    /** Splits the columns into {@code sections} pieces: dimension 1, or 0 of a vector. */
    default List<Tensor> hsplit(int sections) {
        return SliceLayouts.evenSplit("hsplit", self(), sections, self().dim() == 1 ? 0 : 1);
    }

    /** Splits the columns before each of the given indices. */
    default List<Tensor> hsplit(long[] indices) {
        return tensorSplit(indices, self().dim() == 1 ? 0 : 1);
    }

    /** Splits the rows into {@code sections} pieces: dimension 0 of a tensor with at least two dimensions. */
    default List<Tensor> vsplit(int sections) {
        SliceLayouts.requireRank("vsplit", self().shape(), 2);
        return SliceLayouts.evenSplit("vsplit", self(), sections, 0);
    }

    /** Splits the rows before each of the given indices. */
    default List<Tensor> vsplit(long[] indices) {
        SliceLayouts.requireRank("vsplit", self().shape(), 2);
        return tensorSplit(indices, 0);
    }

    /** Splits dimension 2 into {@code sections} pieces. */
    default List<Tensor> dsplit(int sections) {
        SliceLayouts.requireRank("dsplit", self().shape(), 3);
        return SliceLayouts.evenSplit("dsplit", self(), sections, 2);
    }

    /** Splits dimension 2 before each of the given indices. */
    default List<Tensor> dsplit(long[] indices) {
        SliceLayouts.requireRank("dsplit", self().shape(), 3);
        return tensorSplit(indices, 2);
    }
}
