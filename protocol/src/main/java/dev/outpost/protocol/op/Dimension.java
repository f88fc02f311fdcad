package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Checks of one dimension that several ops share. */
final class Dimension {
    /** The axis if no dimension is excepted. */
    static final int NONE = -1;

    private Dimension() {}

    static void require(Op op, int axis, Shape shape) {
        if (axis < 0 || axis >= shape.rank()) {
            throw new OpException(op.label(), "dimension out of range, got " + axis + " for shape " + shape);
        }
    }

    static Shape resize(Shape shape, int axis, long size) {
        long[] sizes = shape.toArray();
        sizes[axis] = size;
        return Shape.of(sizes);
    }

    /** Fails unless both have the same rank and the first is nowhere larger than the second, except along the axis. */
    static void requireWithin(Op op, String inner, Shape shape, String outer, Shape bound, int axis) {
        boolean fits = shape.rank() == bound.rank();
        for (int dim = 0; fits && dim < shape.rank(); dim++) {
            fits = dim == axis || shape.size(dim) <= bound.size(dim);
        }
        if (!fits) {
            String where = axis == NONE ? "" : " outside dimension " + axis;
            throw new OpException(
                    op.label(),
                    inner + " must not be larger than " + outer + where + ", got " + shape + " and " + bound);
        }
    }
}
