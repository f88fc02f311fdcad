package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.ops.RearrangeOps;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;

/** The implementation of {@link RearrangeOps}. */
public final class Rearranging {
    private Rearranging() {}

    public static Tensor flip(Tensor tensor, int... dims) {
        if (Arrays.stream(dims).distinct().count() != dims.length) {
            throw new OpException("flip", "a dimension is named twice, got " + Arrays.toString(dims));
        }
        Tensor flipped = tensor;
        for (int dim : dims) {
            flipped = tensor.dim() == 0 ? flipped : flip(flipped, dim);
        }
        return flipped == tensor ? tensor.clone() : flipped;
    }

    private static Tensor flip(Tensor tensor, int dim) {
        long size = tensor.size(dim);
        Tensor backwards = Creation.arange(
                States.home(tensor), DType.INT64, size, Scalar.of(DType.INT64, size - 1), Scalar.of(DType.INT64, -1L));
        return Dispatch.apply(new IndexSelect(dim), tensor, backwards);
    }

    public static Tensor rot90(Tensor tensor, int turns, int dim1, int dim2) {
        SliceLayouts.requireRank("rot90", tensor.shape(), 2);
        int from = tensor.shape().normalizeDim("rot90", dim1);
        int to = tensor.shape().normalizeDim("rot90", dim2);
        SliceLayouts.requireDistinct("rot90", from, to, dim1, dim2);
        return switch (Math.floorMod(turns, 4)) {
            case 1 -> tensor.flip(to).transpose(from, to);
            case 2 -> tensor.flip(from, to);
            case 3 -> tensor.flip(from).transpose(from, to);
            default -> tensor.clone();
        };
    }

    public static Tensor roll(Tensor tensor, long shift, int dim) {
        int at = Shapes.dim("roll", tensor.shape(), dim);
        long size = tensor.size(at);
        long moved = size == 0 ? 0 : Math.floorMod(shift, size);
        if (moved == 0) {
            return tensor.clone();
        }
        return Tensors.cat(List.of(tensor.narrow(at, size - moved, moved), tensor.narrow(at, 0, size - moved)), at);
    }

    /** Repeats a tensor by a dimension of stride 0 before each dimension: repeats [2, 3] of [a, b] copy a view [2, a, 3, b]. */
    public static Tensor repeat(Tensor tensor, long... repeats) {
        if (repeats.length < tensor.dim()) {
            throw new OpException(
                    "repeat",
                    "a count for every dimension is needed, got " + Arrays.toString(repeats) + " for "
                            + tensor.shape());
        }
        Layout layout = States.layout(tensor);
        while (layout.rank() < repeats.length) {
            layout = layout.unsqueeze(0);
        }
        long[] sizes = layout.shape().toArray();
        long[] spread = new long[2 * repeats.length];
        for (int dim = 0; dim < repeats.length; dim++) {
            spread[2 * dim] = requireCount("repeat", repeats[dim]);
            spread[2 * dim + 1] = sizes[dim];
            sizes[dim] = Math.multiplyExact(sizes[dim], repeats[dim]);
            layout = layout.unsqueeze(2 * dim);
        }
        return States.view(tensor, layout.expand(Shape.of(spread))).clone().view(sizes);
    }

    public static long[] paddedCounts(long[] counts, int rank) {
        long[] padded = new long[Math.max(rank, counts.length)];
        Arrays.fill(padded, 1);
        System.arraycopy(counts, 0, padded, padded.length - counts.length, counts.length);
        return padded;
    }

    public static Tensor repeatInterleave(Tensor tensor, long repeats, int dim) {
        int at = Shapes.dim("repeat_interleave", tensor.shape(), dim);
        long[] sizes = tensor.unsqueeze(at + 1).shape().toArray();
        sizes[at + 1] = requireCount("repeat_interleave", repeats);
        Shape result = Shapes.replaced(tensor.shape(), at, at + 1, tensor.size(at) * repeats);
        return tensor.unsqueeze(at + 1).expand(sizes).clone().view(result);
    }

    private static long requireCount(String op, long count) {
        if (count < 0) {
            throw new OpException(op, "a count must not be negative, got " + count);
        }
        return count;
    }

    public static Tensor triangle(String op, Tensor tensor, long diagonal, boolean lower) {
        SliceLayouts.requireRank(op, tensor.shape(), 2);
        Tensor rows = Creation.indices(States.home(tensor), tensor.size(-2)).unsqueeze(1);
        Tensor columns = Creation.indices(States.home(tensor), tensor.size(-1));
        Tensor limits = rows.add(diagonal);
        Tensor inside = lower ? columns.le(limits) : columns.ge(limits);
        return Gradients.masked(inside, tensor);
    }

    public static Tensor diagEmbed(Tensor tensor, long offset, int dim1, int dim2) {
        SliceLayouts.requireRank("diag_embed", tensor.shape(), 1);
        int rank = tensor.dim() + 1;
        int row = Shape.normalizeDim("diag_embed", dim1, rank);
        int column = Shape.normalizeDim("diag_embed", dim2, rank);
        SliceLayouts.requireDistinct("diag_embed", row, column, dim1, dim2);
        long side = tensor.size(-1) + Math.abs(offset);
        Shape outer = Shapes.replaced(tensor.shape(), tensor.dim() - 1, tensor.dim());
        Shape shape = inserted(outer, Math.min(row, column), Math.max(row, column), side);
        Tensor zeros = Creation.full(States.home(tensor), shape, tensor.dtype(), 0);
        return Dispatch.apply(
                new StridedWrite(SliceLayouts.diagonal(Layout.contiguous(shape), offset, row, column)), zeros, tensor);
    }

    private static Shape inserted(Shape outer, int first, int second, long side) {
        return Shapes.replaced(Shapes.replaced(outer, first, first, side), second, second, side);
    }
}
