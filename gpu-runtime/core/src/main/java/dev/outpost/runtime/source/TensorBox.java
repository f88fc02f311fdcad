package dev.outpost.runtime.source;

import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.protocol.op.Load;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;

/**
 * The positions of a box's elements in a file: row-major runs of {@code runElements} elements each. A whole tensor,
 * or a box that omits elements only along the first dimension, is one run. Torch's files also contain tensors that
 * are not row-major.
 */
final class TensorBox {
    private final StoredTensor stored;
    private final Shape box;
    private final long[] starts;
    private final long[] strides;
    /** The first dimension that lies within a run. All later dimensions do, too. */
    private final int firstOfRun;

    private final long runElements;
    private final boolean isRowMajor;

    private TensorBox(StoredTensor stored, Load load) {
        this.stored = stored;
        this.box = load.type().shape();
        this.starts = load.starts().stream().mapToLong(Long::longValue).toArray();
        this.strides = stored.strides().stream().mapToLong(Long::longValue).toArray();
        int dim = box.rank();
        long run = 1;
        while (dim > 0 && (strides[dim - 1] == run || box.size(dim - 1) == 1)) {
            dim--;
            run *= box.size(dim);
            if (box.size(dim) != stored.type().shape().size(dim)) {
                break;
            }
        }
        this.firstOfRun = dim;
        this.runElements = Math.max(1, run);
        boolean isDescending = true;
        for (int outer = 0; outer < box.rank() - 1; outer++) {
            isDescending &=
                    strides[outer] >= strides[outer + 1] * stored.type().shape().size(outer + 1);
        }
        this.isRowMajor = isDescending;
    }

    /** Returns the box of a load. Fails if the tensor has no such box, or cannot be loaded in the dtype. */
    static TensorBox of(StoredTensor stored, Load load) {
        Shape whole = stored.type().shape();
        Shape box = load.type().shape();
        boolean fits = whole.rank() == box.rank();
        for (int dim = 0; fits && dim < box.rank(); dim++) {
            fits = load.starts().get(dim) <= whole.size(dim) - box.size(dim);
        }
        if (!fits) {
            throw new OutpostException(
                    FaultKind.USER,
                    "load: " + stored.name() + " of shape " + whole + " has no part of shape " + box + " at "
                            + load.starts());
        }
        if (!ElementCast.isPossible(stored.type().dtype(), load.type().dtype())) {
            throw new OutpostException(
                    FaultKind.USER,
                    "load: " + stored.name() + " is " + stored.type().dtype() + " and cannot be loaded as "
                            + load.type().dtype() + ": only floating dtypes are cast on the way");
        }
        return new TensorBox(stored, load);
    }

    DType dtype() {
        return stored.type().dtype();
    }

    long elements() {
        return box.elements();
    }

    /** Returns the number of elements that are consecutive in the file, starting at this element of the box. */
    long contiguousFrom(long element) {
        return runElements - element % runElements;
    }

    /** True if the elements of the box have the same order in the file, perhaps with gaps. */
    boolean isRowMajor() {
        return isRowMajor;
    }

    ReorderedBox reordered() {
        return new ReorderedBox(position(0), box.toArray(), strides, dtype().bytes());
    }

    /** Returns the byte position of an element of the box in the file. */
    long position(long element) {
        long rest = element / runElements;
        long place = element % runElements;
        for (int dim = box.rank() - 1; dim >= 0; dim--) {
            place += starts[dim] * strides[dim];
            if (dim < firstOfRun) {
                place += rest % box.size(dim) * strides[dim];
                rest /= box.size(dim);
            }
        }
        return stored.begin() + place * dtype().bytes();
    }
}
