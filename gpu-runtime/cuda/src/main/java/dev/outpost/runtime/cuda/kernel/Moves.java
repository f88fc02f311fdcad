package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;

/** Ops that copy values unchanged into parts of another value. */
public record Moves(Maps maps) {
    public void stridedWrite(StridedWrite op, Array base, Array source, Array out) {
        maps.copy(base, out);
        Layout view = op.layout();
        long offset = view.offset() + out.layout().offset();
        maps.copy(source, new Array(out.buffer(), Layout.of(view.shape(), view.strides(), offset)));
    }

    public void concat(Concat op, Array[] parts, Array out) {
        long start = 0;
        for (Array part : parts) {
            long size = part.shape().size(op.axis());
            maps.copy(part, new Array(out.buffer(), out.layout().slice(op.axis(), start, size, 1)));
            start += size;
        }
    }
}
