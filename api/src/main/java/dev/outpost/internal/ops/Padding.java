package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.ops.PadMode;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Adds elements around a tensor. Counts are pairs, before and after, for the last dimension first. Negative counts remove elements. */
public final class Padding {
    private final Tensor tensor;
    private final long[] counts;

    public Padding(Tensor tensor, long... counts) {
        if (counts.length % 2 != 0 || counts.length > 2 * tensor.dim()) {
            throw new OpException(
                    "pad",
                    "pairs for at most " + tensor.dim() + " dimensions are needed, got " + Arrays.toString(counts));
        }
        this.tensor = tensor;
        this.counts = counts.clone();
    }

    private long before(int dim) {
        int pair = 2 * (tensor.dim() - 1 - dim);
        return pair < counts.length ? counts[pair] : 0;
    }

    private long after(int dim) {
        int pair = 2 * (tensor.dim() - 1 - dim);
        return pair < counts.length ? counts[pair + 1] : 0;
    }

    public Tensor constant(Number value) {
        long[] sizes = tensor.shape().toArray();
        Arrays.setAll(sizes, dim -> requireSize(sizes[dim] + before(dim) + after(dim)));
        Tensor kept = tensor;
        Layout place = Layout.contiguous(Shape.of(sizes));
        for (int dim = 0; dim < sizes.length; dim++) {
            long start = Math.max(0, -before(dim));
            long length = Math.max(0, tensor.size(dim) - start - Math.max(0, -after(dim)));
            kept = kept.narrow(dim, start, length);
            place = place.slice(dim, Math.max(0, before(dim)), length, 1);
        }
        Tensor around = Creation.full(States.home(tensor), Shape.of(sizes), "pad", value, tensor.dtype());
        return Dispatch.apply(new StridedWrite(place), around, kept);
    }

    private long requireSize(long size) {
        if (size < 0) {
            throw new OpException(
                    "pad",
                    "more is taken away than there is, got " + Arrays.toString(counts) + " for " + tensor.shape());
        }
        return size;
    }

    /** Pads with copies of existing elements. In circular mode, these are elements that remain after removals. */
    public Tensor copied(PadMode mode) {
        Tensor padded = tensor;
        for (int dim = 0; dim < tensor.dim(); dim++) {
            if (before(dim) != 0 || after(dim) != 0) {
                padded = padded.indexSelect(dim, sources(mode, dim));
            }
        }
        return padded == tensor ? tensor.clone() : padded;
    }

    private Tensor sources(PadMode mode, int dim) {
        long size = tensor.size(dim);
        long reach = mode == PadMode.REFLECT ? size - 1 : mode == PadMode.CIRCULAR ? size : Long.MAX_VALUE;
        if (Math.max(before(dim), after(dim)) > reach || size == 0) {
            throw new OpException(
                    "pad",
                    "at most " + reach + " elements can be added to dimension " + dim + ", got "
                            + Arrays.toString(counts) + " for " + tensor.shape());
        }
        long length = requireSize(before(dim) + size + after(dim));
        Tensor positions = Creation.indices(States.home(tensor), length).sub(before(dim));
        return switch (mode) {
            case REPLICATE -> positions.clamp(0, size - 1);
            case CIRCULAR -> inCircle(positions, dim);
            case REFLECT -> positions.abs().rsub(size - 1).abs().rsub(size - 1);
        };
    }

    private Tensor inCircle(Tensor positions, int dim) {
        long first = Math.max(0, -before(dim));
        long left = tensor.size(dim) - first - Math.max(0, -after(dim));
        if (left <= 0 && positions.numel() > 0) {
            throw new OpException(
                    "pad",
                    "no element is left to be repeated, got " + Arrays.toString(counts) + " for " + tensor.shape());
        }
        return positions.sub(first).remainder(Math.max(1, left)).add(first);
    }
}
