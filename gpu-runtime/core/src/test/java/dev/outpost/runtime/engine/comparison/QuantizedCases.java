package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.Consumer;

/** Products with weights of 4 and 8 bits: few and many rows, groups of all sizes, and operands that are not dense. */
public final class QuantizedCases {
    /** The largest absolute value of an element of a row and of a scale. */
    private static final double LARGEST = 4;

    /**
     * The number of rows from which on an engine may convert the weights to 16-bit floats; with fewer rows it reads them as they are
     * stored.
     */
    private static final int MANY_ROWS = 17;

    private record Sizes(long rows, long inputs, long outputs, int group) {}

    private QuantizedCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
            for (int bits : new int[] {4, 8}) {
                consumer.accept(run(dtype, DType.FLOAT16, bits, new Sizes(1, 64, 9, 32)));
                consumer.accept(run(dtype, dtype, bits, new Sizes(3, 24, 70, 2)));
                consumer.accept(run(dtype, DType.FLOAT32, bits, new Sizes(19, 48, 5, 16)));
            }
        }
        consumer.accept(run(DType.FLOAT32, DType.FLOAT32, 8, new Sizes(2, 15, 3, 5)));
        consumer.accept(run(DType.FLOAT32, DType.BFLOAT16, 4, new Sizes(33, 256, 130, 128)));
        consumer.accept(run(DType.FLOAT32, DType.FLOAT32, 4, new Sizes(0, 8, 3, 8)));
        consumer.accept(run(DType.FLOAT32, DType.FLOAT32, 8, new Sizes(2, 0, 3, 8)));
        consumer.accept(turned());
        gradients(consumer);
    }

    private static void gradients(Consumer<Case> consumer) {
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
            consumer.accept(gradient(dtype, DType.FLOAT16, 4, new Sizes(3, 64, 9, 32)));
            consumer.accept(gradient(dtype, DType.FLOAT32, 8, new Sizes(19, 48, 5, 2)));
        }
        consumer.accept(gradient(DType.FLOAT32, DType.FLOAT16, 4, new Sizes(1, 600, 300, 600)));
        consumer.accept(gradient(DType.FLOAT32, DType.BFLOAT16, 8, new Sizes(2, 270, 3, 5)));
        consumer.accept(gradient(DType.FLOAT32, DType.FLOAT32, 4, new Sizes(0, 8, 3, 8)));
        consumer.accept(gradient(DType.FLOAT32, DType.FLOAT32, 4, new Sizes(2, 8, 0, 8)));
    }

    private static Case gradient(DType dtype, DType scales, int bits, Sizes sizes) {
        Case run = weighted(new QuantizedMatmulInput(bits, sizes.group), dtype, sizes.outputs, scales, bits, sizes);
        return roundable(run, dtype);
    }

    private static Case run(DType dtype, DType scales, int bits, Sizes sizes) {
        Case run = weighted(new QuantizedMatmul(bits, sizes.group), dtype, sizes.inputs, scales, bits, sizes);
        return sizes.rows >= MANY_ROWS ? roundable(run, dtype) : run;
    }

    /** Weights may be rounded to 16-bit floats before they are multiplied by 16-bit floats, so scales are powers of two there. */
    private static Case roundable(Case run, DType dtype) {
        if (dtype.bytes() == Short.BYTES) {
            HeapBuffer elements = run.operands().get(2).elements();
            for (int place = 0; place < elements.elements(); place++) {
                elements.setDouble(place, Math.scalb(1, place % 3 - 1));
            }
        }
        return run;
    }

    /** @param terms the number of terms of a sum, which is the number of columns of the first operand */
    private static Case weighted(Op op, DType dtype, long terms, DType scales, int bits, Sizes sizes) {
        Shape groups = Shape.of(sizes.outputs, sizes.inputs / sizes.group);
        return accumulating(
                op,
                terms,
                TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(Shape.of(sizes.rows, terms)), 0),
                TestOperand.of(
                        OperandSamples.ORDINARY,
                        DType.UINT8,
                        Layout.contiguous(Shape.of(sizes.outputs, sizes.inputs * bits / 8)),
                        1),
                TestOperand.of(OperandSamples.NEAR_ONE, scales, Layout.contiguous(groups), 2),
                TestOperand.of(OperandSamples.NEAR_ONE, DType.UINT8, Layout.contiguous(groups), 3));
    }

    /** Codes of all 256 values, and weights that are stored with inputs first. */
    private static Case turned() {
        return accumulating(
                new QuantizedMatmul(4, 4),
                16,
                TestOperand.of(
                        OperandSamples.ORDINARY,
                        DType.FLOAT32,
                        Layout.contiguous(Shape.of(16, 3)).transpose(0, 1),
                        0),
                TestOperand.of(
                        OperandSamples.AWKWARD,
                        DType.UINT8,
                        Layout.contiguous(Shape.of(8, 7)).transpose(0, 1),
                        1),
                TestOperand.of(
                        OperandSamples.NEAR_ONE,
                        DType.FLOAT32,
                        Layout.contiguous(Shape.of(4, 7)).transpose(0, 1),
                        2),
                TestOperand.of(
                        OperandSamples.AWKWARD,
                        DType.UINT8,
                        Layout.contiguous(Shape.of(4, 7)).transpose(0, 1),
                        3));
    }

    private static Case accumulating(Op op, long inputs, TestOperand... operands) {
        return Case.accumulating(Math.max(1, inputs), LARGEST * 256, op, operands);
    }
}
