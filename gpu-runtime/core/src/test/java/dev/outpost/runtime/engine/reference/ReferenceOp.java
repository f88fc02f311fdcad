package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Runs one op on the reference engine. */
final class ReferenceOp {
    private ReferenceOp() {}

    static Array run(Op op, Array... operands) {
        return runAll(op, operands)[0];
    }

    static Array[] runAll(Op op, Array... operands) {
        ReferenceEngine engine = new ReferenceEngine();
        Instruction instruction = instruction(op, operands);
        Array[] results = new Array[instruction.resultCount()];
        for (int position = 0; position < results.length; position++) {
            results[position] = garbage(engine, instruction.resultType(position));
        }
        engine.compile(instruction).run(instruction.op(), operands, results);
        return results;
    }

    private static Instruction instruction(Op op, Array... operands) {
        TensorType[] types = Arrays.stream(operands).map(Array::type).toArray(TensorType[]::new);
        return new GraphBuilder(types).add(op, IntStream.range(0, types.length).toArray());
    }

    /** A kernel must not rely on the previous contents of its results. */
    private static Array garbage(ReferenceEngine engine, TensorType type) {
        HeapBuffer buffer =
                (HeapBuffer) engine.allocate(type.dtype(), type.shape().elements());
        for (int index = 0; index < buffer.elements(); index++) {
            buffer.setDouble(index, 77);
        }
        return Array.contiguous(buffer, type.shape());
    }

    static Array vector(DType dtype, double... elements) {
        return tensor(dtype, Shape.of(elements.length), elements);
    }

    static Array tensor(DType dtype, Shape shape, double... elements) {
        HeapBuffer buffer = HeapBuffer.allocate(dtype, elements.length);
        for (int index = 0; index < elements.length; index++) {
            buffer.setDouble(index, elements[index]);
        }
        return Array.contiguous(buffer, shape);
    }

    static Array longs(long... elements) {
        HeapBuffer buffer = HeapBuffer.allocate(DType.INT64, elements.length);
        System.arraycopy(elements, 0, buffer.longs(), 0, elements.length);
        return Array.contiguous(buffer, Shape.of(elements.length));
    }

    static Array scalar(DType dtype, double element) {
        return tensor(dtype, Shape.SCALAR, element);
    }

    static Array empty(DType dtype, long... sizes) {
        return tensor(dtype, Shape.of(sizes));
    }

    static Array transposed(Array matrix) {
        return viewed(matrix, matrix.layout().transpose(0, 1));
    }

    static Array viewed(Array array, Layout layout) {
        return new Array(array.buffer(), layout);
    }

    static double[] doubles(Array array) {
        Cursor cursor = new Cursor(array.layout());
        double[] elements = new double[(int) array.shape().elements()];
        Arrays.setAll(elements, _ -> ((HeapBuffer) array.buffer()).getDouble(cursor.next()));
        return elements;
    }

    static long[] longs(Array array) {
        Cursor cursor = new Cursor(array.layout());
        long[] elements = new long[(int) array.shape().elements()];
        Arrays.setAll(elements, _ -> ((HeapBuffer) array.buffer()).getLong(cursor.next()));
        return elements;
    }
}
