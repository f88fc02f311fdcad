package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.protocol.op.Arange;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Values that are computed from numbers alone, without operands. */
public final class Fills {
    private static final int GRAIN = 16 << 10;

    private Fills() {}

    public static void fill(Elementwise elementwise, Scalar value, Array result) {
        HeapBuffer one = HeapBuffer.allocate(value.dtype(), 1);
        if (value.dtype().isFloating()) {
            one.setDouble(0, value.asDouble());
        } else {
            one.setLong(0, value.asLong());
        }
        elementwise.copy(Array.contiguous(one, Shape.SCALAR), result);
    }

    public static void arange(Elementwise elementwise, Arange op, Array result) {
        try (Scratch scratch = elementwise.scratch()) {
            DType wide = op.start().dtype();
            Array target = result.dtype() == wide ? result : scratch.array(wide, result.shape());
            int count = (int) op.length();
            elementwise.workers().run(count, GRAIN, (from, to) -> arange(op, target, from, to));
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private static void arange(Arange op, Array target, int from, int to) {
        int base = (int) target.layout().offset();
        if (target.dtype() == DType.FLOAT64) {
            double[] elements = Elementwise.buffer(target).doubles();
            double start = op.start().asDouble();
            double step = op.step().asDouble();
            for (int index = from; index < to; index++) {
                elements[base + index] = start + index * step;
            }
        } else {
            long[] elements = Elementwise.buffer(target).longs();
            long start = op.start().asLong();
            long step = op.step().asLong();
            for (int index = from; index < to; index++) {
                elements[base + index] = start + index * step;
            }
        }
    }
}
