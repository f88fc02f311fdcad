package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * An operand of a test: its elements and its layout.
 *
 * @param elements all elements of the buffer
 * @param layout the part of the buffer that the op gets
 */
public record TestOperand(HeapBuffer elements, Layout layout) {

    public static TestOperand of(OperandSamples samples, DType dtype, Layout layout, int salt) {
        int count = Math.max((int) layout.end() + 3, 1);
        return new TestOperand(samples.elements(dtype, count, salt), layout);
    }

    /** Indices below a bound, some of them more than once. */
    public static TestOperand indices(Layout layout, long bound) {
        HeapBuffer elements = HeapBuffer.allocate(DType.INT64, Math.max((int) layout.end(), 1));
        for (int index = 0; index < elements.elements(); index++) {
            elements.setLong(index, bound == 0 ? 0 : (index * 7L + index / 3) % bound);
        }
        return new TestOperand(elements, layout);
    }

    public static TestOperand longs(long... values) {
        HeapBuffer elements = HeapBuffer.allocate(DType.INT64, values.length);
        System.arraycopy(values, 0, elements.longs(), 0, values.length);
        return new TestOperand(elements, Layout.contiguous(Shape.of(values.length)));
    }

    public TensorType type() {
        return new TensorType(elements.dtype(), layout.shape());
    }

    public Array on(Engine engine) {
        Layout whole = Layout.contiguous(Shape.of(elements.elements()));
        byte[] bytes = new byte[(int) elements.elements() * elements.dtype().bytes()];
        HeapTransfer.read(elements, whole, 0, (int) elements.elements(), bytes, 0);
        EngineBuffer buffer = engine.allocate(elements.dtype(), elements.elements());
        engine.write(buffer, 0, new Slice(bytes));
        return new Array(buffer, layout);
    }

    @Override
    public String toString() {
        return elements.dtype() + " " + layout;
    }
}
