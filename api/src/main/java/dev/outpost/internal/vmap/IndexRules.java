package dev.outpost.internal.vmap;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** The rules of ops that address elements. */
final class IndexRules {
    private IndexRules() {}

    /** Applies the layout of one example to each row. */
    static TensorState stridedWrite(StridedWrite op, MappedCall call) {
        Layout one = op.layout();
        long storage = call.shape(0).elements();
        long[] strides = new long[one.rank() + 1];
        strides[0] = storage;
        System.arraycopy(one.strides(), 0, strides, 1, one.rank());
        Layout all = Layout.of(call.level().allOf(one.shape()), strides, one.offset());
        return OpRecording.apply(new StridedWrite(all), call.all(0), call.all(1));
    }

    /** If the index differs between examples, selects element by element. */
    static TensorState select(IndexSelect op, MappedCall call) {
        if (!call.isMapped(1)) {
            return OpRecording.apply(new IndexSelect(op.axis() + 1, op.names()), call.all(0), call.common(1));
        }
        return OpRecording.apply(
                new Gather(op.axis() + 1, op.names()), call.all(0), spread(call, op.axis(), call.shape(0)));
    }

    static TensorState write(IndexWrite op, MappedCall call) {
        if (!call.isMapped(1)) {
            return OpRecording.apply(
                    new IndexWrite(op.fn(), op.axis() + 1, op.names()), call.all(0), call.common(1), call.all(2));
        }
        return OpRecording.apply(
                new Scatter(op.fn(), op.axis() + 1, op.names()),
                call.all(0),
                spread(call, op.axis(), call.shape(0)),
                call.all(2));
    }

    /** Expands the indices {@code [examples, count]} of whole slices to an index for each element. */
    private static TensorState spread(MappedCall call, int axis, Shape shape) {
        TensorState index = call.all(1);
        Layout layout = States.layout(index);
        long[] sizes = call.level().allOf(shape).toArray();
        sizes[axis + 1] = index.shape().size(1);
        long[] strides = new long[sizes.length];
        strides[0] = layout.stride(0);
        strides[axis + 1] = layout.stride(1);
        return States.view(index, Layout.of(Shape.of(sizes), strides, layout.offset()));
    }
}
