package dev.outpost.torch.fuzz;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/**
 * A variable that a statement may use.
 *
 * @param base the variable whose elements it may share; itself if it shares none
 * @param mayBeCopy true if it is undefined whether it shares them, or whether another variable shares its elements, as after a reshape
 */
record Known(
        String name, DType dtype, Shape shape, boolean requiresGrad, boolean isLeaf, String base, boolean mayBeCopy) {
    int rank() {
        return shape.rank();
    }

    boolean isFloating() {
        return dtype.isFloating();
    }

    /** Returns the size of a dimension, which may be counted from the back. */
    long size(int dim) {
        return shape.size(dim < 0 ? dim + rank() : dim);
    }
}
