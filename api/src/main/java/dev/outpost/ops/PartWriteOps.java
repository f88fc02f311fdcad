package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Positions;
import dev.outpost.internal.ops.SliceLayouts;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Copies in which a part is replaced. The parts are those that the views of {@link ViewOps} select. The source has the part's shape. */
public interface PartWriteOps {
    Tensor self();

    /** Returns a copy in which {@code source} replaces a {@link ViewOps#diagonal(long, int, int)}. */
    default Tensor diagonalScatter(Tensor source, long offset, int dim1, int dim2) {
        return written(self(), source, SliceLayouts.diagonal(whole(), offset, dim1, dim2));
    }

    /** Returns a copy in which {@code source} replaces a {@link ViewOps#select}. */
    default Tensor selectScatter(Tensor source, int dim, long index) {
        return written(self(), source, SliceLayouts.select(whole(), dim, index));
    }

    /** Returns a copy in which {@code source} replaces a {@link ViewOps#slice(int, long, long, long)}. */
    default Tensor sliceScatter(Tensor source, int dim, long start, long end, long step) {
        return written(self(), source, SliceLayouts.slice(whole(), dim, start, end, step));
    }

    /**
     * Returns a contiguous copy in which {@code source} replaces the view that {@link ViewOps#asStrided} returns. If
     * elements share memory, the last write wins.
     */
    default Tensor asStridedScatter(Tensor source, long[] sizes, long[] strides, long storageOffset) {
        return Scope.tidy(() -> written(self(), source, Layout.of(Shape.of(sizes), strides, storageOffset)));
    }

    private Layout whole() {
        return Layout.contiguous(self().shape());
    }

    /** Returns a contiguous copy of the tensor in which {@code source} replaces the part that the layout describes. */
    private static Tensor written(Tensor tensor, Tensor source, Layout part) {
        Tensor cast = source.to(tensor.dtype());
        if (part.isInjective()) {
            return Dispatch.apply(new StridedWrite(part), tensor, cast);
        }
        if (!cast.shape().equals(part.shape())) {
            throw new OpException(
                    "as_strided_scatter",
                    "the source must have the view's shape, got " + cast.shape() + " and " + part.shape());
        }
        Tensor positions = (Tensor) Positions.of(States.home(tensor), part);
        return tensor.flatten().indexCopy(0, positions, cast.flatten()).view(tensor.shape());
    }
}
