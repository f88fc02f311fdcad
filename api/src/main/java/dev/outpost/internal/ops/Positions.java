package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.TensorDevice;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Where the elements of a layout lie, as a tensor: for views whose elements share memory. */
public final class Positions {
    private Positions() {}

    /** The storage position of every element, row-major, {@code [elements]} of int64. */
    public static Tensor of(TensorDevice device, Layout layout) {
        Tensor positions = Creation.full(device, Shape.SCALAR, DType.INT64, 0).add(layout.offset());
        for (int dim = 0; dim < layout.rank(); dim++) {
            long size = layout.shape().size(dim);
            Tensor along = Creation.indices(device, size).mul(layout.stride(dim));
            long[] sizes = new long[layout.rank() - dim];
            Arrays.fill(sizes, 1);
            sizes[0] = size;
            positions = positions.add(along.reshape(sizes));
        }
        return positions.reshape(layout.shape().elements());
    }
}
