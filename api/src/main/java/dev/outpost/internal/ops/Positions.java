package dev.outpost.internal.ops;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Computes the storage positions of a layout's elements as a tensor, for views whose elements share memory. */
public final class Positions {
    private Positions() {}

    /** Returns the storage position of every element, row-major, {@code [elements]} of int64. */
    public static TensorState of(TensorDevice device, Layout layout) {
        TensorState positions =
                OpRecording.make(device, new Fill(Shape.SCALAR, Scalar.of(DType.INT64, layout.offset())));
        for (int dim = 0; dim < layout.rank(); dim++) {
            long size = layout.shape().size(dim);
            Arange along = new Arange(
                    DType.INT64, size, Scalar.of(DType.INT64, 0L), Scalar.of(DType.INT64, layout.stride(dim)));
            long[] sizes = new long[layout.rank() - dim];
            Arrays.fill(sizes, 1);
            sizes[0] = size;
            TensorState offsets = StateViews.reshape(OpRecording.make(device, along), Shape.of(sizes));
            positions = OpRecording.binary(Binary.ADD, positions, offsets);
        }
        return StateViews.reshape(positions, Shape.of(layout.shape().elements()));
    }
}
