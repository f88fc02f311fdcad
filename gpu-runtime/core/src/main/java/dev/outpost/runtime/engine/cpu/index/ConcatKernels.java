package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;

/** Ops that join arrays or pick out elements. */
public record ConcatKernels(Elementwise elementwise) {
    public void concat(Concat op, Array[] operands, Array result) {
        long begin = 0;
        for (Array operand : operands) {
            long length = operand.shape().size(op.axis());
            Layout place = result.layout().slice(op.axis(), begin, length, 1);
            elementwise.copy(operand, new Array(result.buffer(), place));
            begin += length;
        }
    }

    public void stridedWrite(StridedWrite op, Array base, Array source, Array result) {
        elementwise.copy(base, result);
        Layout view = op.layout();
        Layout place = Layout.of(view.shape(), view.strides(), result.layout().offset() + view.offset());
        elementwise.copy(source, new Array(result.buffer(), place));
    }

    public void nonzero(Nonzero op, Array operand, Array result) {
        try (Scratch scratch = elementwise.scratch()) {
            Array mask = elementwise.contiguous(operand, DType.BOOL, scratch);
            byte[] flags = Elementwise.buffer(mask).bytesArray();
            int base = (int) mask.layout().offset();
            int elements = (int) mask.shape().elements();
            requireCount(op, flags, base, elements);
            long[] coordinates = Elementwise.buffer(result).longs();
            int place = (int) result.layout().offset();
            for (int element = 0; element < elements; element++) {
                if (flags[base + element] != 0) {
                    locate(element, operand.shape(), coordinates, place);
                    place += operand.shape().rank();
                }
            }
        }
    }

    private static void requireCount(Nonzero op, byte[] flags, int base, int elements) {
        long count = 0;
        for (int element = 0; element < elements; element++) {
            count += flags[base + element];
        }
        if (count != op.count()) {
            throw new OutpostException(
                    FaultKind.INTERNAL,
                    op.label() + ": the stated count is wrong, got " + op.count() + " and " + count);
        }
    }

    /** Converts the row-major number of an element to its coordinates. */
    private static void locate(int element, Shape shape, long[] coordinates, int place) {
        int rest = element;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            int size = (int) shape.size(dim);
            coordinates[place + dim] = rest % size;
            rest /= size;
        }
    }
}
