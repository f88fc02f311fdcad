package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.EnumSet;
import java.util.Random;
import java.util.function.Consumer;

/** Convolutions, their gradients and pooling: chosen shapes, and many that are drawn. */
public final class WindowCases {
    /** The largest absolute value of a product of ordinary samples. */
    private static final double LARGEST = 81;

    private static final int DRAWN = 60;
    private static final Slide PLAIN = new Slide(1, 0, 1);
    private static final Slide PADDED = new Slide(1, 1, 1);

    private WindowCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : EnumSet.complementOf(EnumSet.of(DType.BOOL))) {
            drawn(consumer, dtype);
        }
        for (DType dtype : EnumSet.of(DType.FLOAT32, DType.BFLOAT16, DType.INT64)) {
            // Without images, without channels, and padding alone.
            convolutions(consumer, dtype, Convolution.forward(PADDED, PADDED, 1), shape(0, 2, 5, 5), shape(3, 2, 3, 3));
            convolutions(consumer, dtype, Convolution.forward(PADDED, PADDED, 1), shape(2, 0, 5, 5), shape(3, 0, 3, 3));
            convolutions(consumer, dtype, Convolution.forward(PADDED, PADDED, 1), shape(2, 3, 5, 5), shape(0, 3, 3, 3));
            convolutions(consumer, dtype, Convolution.forward(PADDED, PADDED, 1), shape(2, 2, 0, 5), shape(3, 2, 2, 3));
            Slide far = new Slide(1, 9, 1);
            convolutions(consumer, dtype, Convolution.forward(far, far, 1), shape(2, 2, 3, 4), shape(3, 2, 2, 2));
        }
        for (DType dtype : EnumSet.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT64)) {
            // As many channels as are computed together, in groups, with strides and dilation.
            Slide steps = new Slide(2, 1, 1);
            Slide gaps = new Slide(1, 2, 2);
            convolutions(consumer, dtype, Convolution.forward(steps, gaps, 2), shape(3, 20, 7, 9), shape(18, 10, 3, 2));
        }
        // More of everything than a tile has, and a sum that is cut.
        convolutions(
                consumer,
                DType.FLOAT32,
                Convolution.forward(PADDED, PADDED, 1),
                shape(3, 9, 15, 14),
                shape(70, 9, 3, 3));
        // More channels than a slice has, more places than a block, and more images than chunks.
        convolutions(
                consumer,
                DType.FLOAT32,
                Convolution.forward(PADDED, PADDED, 1),
                shape(2, 70, 6, 7),
                shape(5, 70, 3, 3));
        convolutions(
                consumer,
                DType.FLOAT32,
                Convolution.forward(PLAIN, PLAIN, 1),
                shape(1, 60, 30, 30),
                shape(2, 60, 3, 3));
        convolutions(
                consumer, DType.FLOAT32, Convolution.forward(PADDED, PLAIN, 1), shape(37, 1, 9, 8), shape(4, 1, 3, 3));
        convolutions(
                consumer,
                DType.FLOAT32,
                Convolution.forward(PLAIN, PLAIN, 1),
                shape(1, 1, 40, 41),
                shape(2, 1, 30, 29));
        // Windows that are wider than the image, and more of them than a table of all looks may hold.
        for (DType dtype : EnumSet.of(DType.FLOAT32, DType.FLOAT64)) {
            for (OperandSamples samples : OperandSamples.values()) {
                TestOperand planes = TestOperand.of(samples, dtype, Layout.contiguous(shape(3, 9, 60)), 0);
                consumer.accept(
                        Case.of(new MaxPool(shape(2, 20), new Slide(2, 1, 1), new Slide(3, 8, 2), true), planes));
                consumer.accept(Case.of(new MaxPool(shape(9, 16), PLAIN, new Slide(1, 8, 3), false), planes));
                consumer.accept(Case.of(new MaxPool(shape(1, 100), PLAIN, new Slide(50, 50, 1), true), planes));
                TestOperand large = TestOperand.of(samples, dtype, Layout.contiguous(shape(1, 130, 131)), 0);
                consumer.accept(Case.of(new MaxPool(shape(3, 3), PADDED, PADDED, false), large));
            }
        }
        Slide wide = new Slide(1 << 30, 1 << 30, 1);
        convolutions(
                consumer, DType.FLOAT32, Convolution.forward(PLAIN, wide, 1), shape(1, 2, 4, 5), shape(3, 2, 2, 3));
    }

    private static void drawn(Consumer<Case> consumer, DType dtype) {
        Random random = new Random(dtype.code());
        for (int count = 0; count < DRAWN; count++) {
            int groups = 1 + random.nextInt(3);
            Slide rows = slide(random);
            Slide columns = slide(random);
            Shape weight = shape(
                    (long) groups * (1 + random.nextInt(4)),
                    1 + random.nextInt(4),
                    1 + random.nextInt(4),
                    1 + random.nextInt(4));
            Shape input = shape(
                    1 + random.nextInt(3),
                    groups * weight.size(1),
                    size(random, rows, weight.size(2)),
                    size(random, columns, weight.size(3)));
            convolutions(consumer, dtype, Convolution.forward(rows, columns, groups), input, weight);
            pool(consumer, dtype, random);
        }
    }

    private static Slide slide(Random random) {
        return new Slide(1 + random.nextInt(3), random.nextInt(3), 1 + random.nextInt(3));
    }

    /** A random size, at least that of one window. */
    private static long size(Random random, Slide slide, long window) {
        long reach = slide.dilation() * (window - 1) + 1;
        return Math.max(1, reach - 2L * slide.padding()) + random.nextInt(8);
    }

    private static void convolutions(
            Consumer<Case> consumer, DType dtype, Convolution forward, Shape input, Shape weight) {
        Shape output = Shape.of(
                input.size(0),
                weight.size(0),
                forward.rows().places("conv2d", input.size(2), weight.size(2), false),
                forward.columns().places("conv2d", input.size(3), weight.size(3), false));
        long kernel = weight.size(2) * weight.size(3);
        TestOperand inputs = turned(dtype, input, 0);
        TestOperand weights = turned(dtype, weight, 1);
        TestOperand outputs = turned(dtype, output, 2);
        consumer.accept(Case.accumulating(weight.size(1) * kernel, LARGEST, forward, inputs, weights));
        consumer.accept(Case.accumulating(
                weight.size(0) * kernel, LARGEST, forward.to(Convolution.Fn.INPUT, input), weights, outputs));
        consumer.accept(Case.accumulating(
                input.size(0) * output.size(2) * output.size(3),
                LARGEST,
                forward.to(Convolution.Fn.WEIGHT, weight),
                inputs,
                outputs));
    }

    /** An operand whose batch and channels are in order or exchanged in memory. */
    private static TestOperand turned(DType dtype, Shape shape, int salt) {
        boolean isExchanged = shape.size(0) % 2 == 0;
        Layout layout = isExchanged
                ? Layout.contiguous(Shape.of(shape.size(1), shape.size(0), shape.size(2), shape.size(3)))
                        .transpose(0, 1)
                : Layout.contiguous(shape);
        return TestOperand.of(OperandSamples.ORDINARY, dtype, layout, salt);
    }

    private static void pool(Consumer<Case> consumer, DType dtype, Random random) {
        if (!dtype.isFloating()) {
            return;
        }
        Shape window = Shape.of(1 + random.nextInt(4), 1 + random.nextInt(4));
        Slide rows = poolingSlide(random, window.size(0));
        Slide columns = poolingSlide(random, window.size(1));
        Layout input = Layout.contiguous(Shape.of(
                1 + random.nextInt(3),
                size(random, rows, window.size(0)) + 3,
                size(random, columns, window.size(1)) + 3));
        MaxPool op = new MaxPool(window, rows, columns, random.nextBoolean());
        for (OperandSamples samples : OperandSamples.values()) {
            consumer.accept(Case.of(op, TestOperand.of(samples, dtype, input, 0)));
            consumer.accept(Case.of(
                    op,
                    TestOperand.of(
                            samples, dtype, input.slice(2, 1, input.shape().size(2) - 1, 1), 0)));
        }
    }

    private static Slide poolingSlide(Random random, long window) {
        return new Slide(1 + random.nextInt(3), random.nextInt((int) window / 2 + 1), 1 + random.nextInt(2));
    }

    private static Shape shape(long... sizes) {
        return Shape.of(sizes);
    }
}
