package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.SliceLayouts;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Copies with a part replaced: what the views of {@link ViewOps} show, written. The source has the part's shape. */
public interface PartWriteOps {
    Tensor self();

    /** A copy with another {@link ViewOps#diagonal(long, int, int)}. */
    default Tensor diagonalScatter(Tensor source, long offset, int dim1, int dim2) {
        return SliceLayouts.written(self(), source, SliceLayouts.diagonal(whole(), offset, dim1, dim2));
    }

    /** A copy with another {@link ViewOps#select}. */
    default Tensor selectScatter(Tensor source, int dim, long index) {
        return SliceLayouts.written(self(), source, SliceLayouts.select(whole(), dim, index));
    }

    /** A copy with another {@link ViewOps#slice(int, long, long, long)}. */
    default Tensor sliceScatter(Tensor source, int dim, long start, long end, long step) {
        return SliceLayouts.written(self(), source, SliceLayouts.slice(whole(), dim, start, end, step));
    }

    /** A contiguous copy with another {@link ViewOps#asStrided}; of elements that share memory the last one stays. */
    default Tensor asStridedScatter(Tensor source, long[] sizes, long[] strides, long storageOffset) {
        return Scope.tidy(
                () -> SliceLayouts.written(self(), source, Layout.of(Shape.of(sizes), strides, storageOffset)));
    }

    private Layout whole() {
        return Layout.contiguous(self().shape());
    }
}
