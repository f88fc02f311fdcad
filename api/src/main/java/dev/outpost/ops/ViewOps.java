package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Indexing;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.internal.ops.SliceLayouts;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Parts of a tensor as views of it: nothing is copied, and a write to either is seen in the other. */
public interface ViewOps extends ShapeOps, RearrangeOps, PartWriteOps {
    @Override
    Tensor self();

    /** {@code length} elements of a dimension from {@code start} on; a negative start counts from the back. */
    default Tensor narrow(int dim, long start, long length) {
        return States.view(self(), SliceLayouts.narrow(States.layout(self()), dim, start, length));
    }

    /** As {@link #narrow(int, long, long)}, from where a scalar of integers says; waits for it. */
    default Tensor narrow(int dim, Tensor start, long length) {
        return narrow(dim, Indexing.int64("narrow", start).itemLong(), length);
    }

    /** {@link #narrow(int, long, long)}, copied. */
    default Tensor narrowCopy(int dim, long start, long length) {
        return narrow(dim, start, length).clone();
    }

    /** One index of a dimension, which goes away; a negative index counts from the back. */
    default Tensor select(int dim, long index) {
        return States.view(self(), SliceLayouts.select(States.layout(self()), dim, index));
    }

    /** Python's {@code start:end:step} in a dimension: bounds beyond the dimension are cut, negative ones wrap. */
    default Tensor slice(int dim, long start, long end, long step) {
        return States.view(self(), SliceLayouts.slice(States.layout(self()), dim, start, end, step));
    }

    /** As {@link #slice(int, long, long, long)}, with step 1. */
    default Tensor slice(int dim, long start, long end) {
        return slice(dim, start, end, 1);
    }

    /** As {@link #slice(int, long, long)}, with null for the end where Python's is missing. */
    default Tensor slice(int dim, long start, @Nullable Long end) {
        return slice(dim, start, end == null ? Long.MAX_VALUE : end, 1);
    }

    /** As {@link #slice(int, long, long)}, with null for the start where Python's is missing. */
    default Tensor slice(int dim, @Nullable Long start, long end) {
        return slice(dim, start == null ? 0 : start, end, 1);
    }

    /** Python's {@code start:} in a dimension, from there to the end. */
    default Tensor slice(int dim, long start) {
        return slice(dim, start, Long.MAX_VALUE, 1);
    }

    /** {@link #select} in the first dimensions, one after the other. */
    default Tensor get(long... indices) {
        Layout layout = States.layout(self());
        for (long index : indices) {
            layout = SliceLayouts.select(layout, 0, index);
        }
        return States.view(self(), layout);
    }

    /** Windows of {@code size} elements, {@code step} apart, in a dimension; a window's elements are a new last one. */
    default Tensor unfold(int dim, long size, long step) {
        return States.view(self(), SliceLayouts.unfold(States.layout(self()), dim, size, step));
    }

    /** The main diagonal of the first two dimensions. */
    default Tensor diagonal() {
        return diagonal(0, 0, 1);
    }

    /** A diagonal of two dimensions as a new last dimension; a positive offset is above the main one. */
    default Tensor diagonal(long offset, int dim1, int dim2) {
        return States.view(self(), SliceLayouts.diagonal(States.layout(self()), offset, dim1, dim2));
    }

    /** A view of this tensor's storage by sizes and strides, counted from the storage's first element. */
    default Tensor asStrided(long[] sizes, long[] strides, long storageOffset) {
        Layout layout = Layout.of(Shape.of(sizes), strides, storageOffset);
        new AsStrided(layout).infer(States.cell(self()).type());
        return States.view(self(), layout);
    }

    /** Every index of a dimension. */
    default List<Tensor> unbind(int dim) {
        int at = Shapes.dim("unbind", self().shape(), dim);
        return LongStream.range(0, self().size(at))
                .mapToObj(index -> select(at, index))
                .toList();
    }

    /** Pieces of {@code size}, the last one perhaps smaller. */
    default List<Tensor> split(long size, int dim) {
        return SliceLayouts.split(self(), size, dim);
    }

    /** As {@link #split(long, int)}, in the first dimension. */
    default List<Tensor> split(long size) {
        return split(size, 0);
    }

    /** Pieces of given sizes, which add up to that of the dimension. */
    default List<Tensor> split(long[] sizes, int dim) {
        return SliceLayouts.split(self(), sizes, dim);
    }

    /** At most so many pieces of one size, the last one perhaps smaller. */
    default List<Tensor> chunk(int chunks, int dim) {
        return SliceLayouts.chunk(self(), chunks, dim);
    }

    /** Exactly so many pieces, the first ones larger by one where the size does not divide. */
    default List<Tensor> tensorSplit(int sections, int dim) {
        return SliceLayouts.tensorSplit(self(), sections, dim);
    }

    /** Pieces that end before the given indices, and the rest. */
    default List<Tensor> tensorSplit(long[] indices, int dim) {
        return SliceLayouts.tensorSplit(self(), indices, dim);
    }

    /** As the others, with a scalar of integers for sections or a vector for indices; waits for it. */
    default List<Tensor> tensorSplit(Tensor sectionsOrIndices, int dim) {
        Tensor integers = Indexing.int64("tensor_split", sectionsOrIndices);
        return integers.dim() == 0
                ? tensorSplit((int) integers.itemLong(), dim)
                : tensorSplit(integers.toLongArray(), dim);
    }

    /** As many pieces along the columns: dimension 1, or 0 of a vector. */
    default List<Tensor> hsplit(int sections) {
        return SliceLayouts.evenSplit("hsplit", self(), sections, self().dim() == 1 ? 0 : 1);
    }

    /** Pieces along the columns that end before the given indices, and the rest. */
    default List<Tensor> hsplit(long[] indices) {
        return tensorSplit(indices, self().dim() == 1 ? 0 : 1);
    }

    /** As many pieces along the rows: dimension 0 of at least two. */
    default List<Tensor> vsplit(int sections) {
        SliceLayouts.requireRank("vsplit", self().shape(), 2);
        return SliceLayouts.evenSplit("vsplit", self(), sections, 0);
    }

    /** Pieces along the rows that end before the given indices, and the rest. */
    default List<Tensor> vsplit(long[] indices) {
        SliceLayouts.requireRank("vsplit", self().shape(), 2);
        return tensorSplit(indices, 0);
    }

    /** As many pieces along dimension 2. */
    default List<Tensor> dsplit(int sections) {
        SliceLayouts.requireRank("dsplit", self().shape(), 3);
        return SliceLayouts.evenSplit("dsplit", self(), sections, 2);
    }

    /** Pieces along dimension 2 that end before the given indices, and the rest. */
    default List<Tensor> dsplit(long[] indices) {
        SliceLayouts.requireRank("dsplit", self().shape(), 3);
        return tensorSplit(indices, 2);
    }
}
