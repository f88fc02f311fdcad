package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;

/** Ops that move elements and compute nothing. */
final class Movement {
    private Movement() {}

    static void copy(Array source, Array target) {
        copyTo(source, target, target.layout());
    }

    static void stridedWrite(StridedWrite op, Array base, Array source, Array out) {
        copy(base, out);
        Layout view = op.layout();
        long offset = view.offset() + out.layout().offset();
        copyTo(source, out, Layout.of(view.shape(), view.strides(), offset));
    }

    static void concat(Concat op, Array[] parts, Array out) {
        long start = 0;
        for (Array part : parts) {
            long size = part.shape().size(op.axis());
            copyTo(part, out, out.layout().slice(op.axis(), start, size, 1));
            start += size;
        }
    }

    private static void copyTo(Array source, Array target, Layout layout) {
        ElementCursor from = ElementCursor.of(source);
        ElementCursor to = ElementCursor.under(target, layout);
        for (long count = layout.shape().elements(); count > 0; count--) {
            to.putFrom(from);
        }
    }
}
