package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static dev.outpost.runtime.engine.reference.ReferenceOp.runAll;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class Im2colWindowsTest {
    private static final Slide PLAIN = new Slide(1, 0, 1);

    private final Array image = tensor(DType.FLOAT32, Shape.of(1, 1, 3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9);
    private final Array kernel = tensor(DType.FLOAT32, Shape.of(1, 1, 2, 2), 1, 10, 100, 1000);

    @Test
    void convolutionSlidesAKernel() {
        Convolution op = Convolution.forward(PLAIN, PLAIN, 1);
        assertArrayEquals(new double[] {5421, 6532, 8754, 9865}, doubles(run(op, image, kernel)));
    }

    @Test
    void paddingIsZero() {
        Convolution op = Convolution.forward(new Slide(2, 1, 1), new Slide(3, 1, 1), 1);
        assertArrayEquals(new double[] {1000, 300, 7040, 906}, doubles(run(op, image, kernel)));
    }

    @Test
    void dilationLeavesElementsOut() {
        Convolution op = Convolution.forward(new Slide(1, 0, 2), PLAIN, 1);
        assertArrayEquals(new double[] {8721, 9832}, doubles(run(op, image, kernel)));
    }

    @Test
    void groupsSeeTheirOwnChannels() {
        Array channels = tensor(DType.INT64, Shape.of(1, 4, 1, 1), 1, 2, 3, 4);
        Array weight = tensor(DType.INT64, Shape.of(2, 2, 1, 1), 1, 10, 100, 1000);
        assertArrayEquals(new long[] {21, 4300}, longs(run(Convolution.forward(PLAIN, PLAIN, 2), channels, weight)));
    }

    @Test
    void gradientsAreSumsOfWhatMet() {
        Convolution op = Convolution.forward(PLAIN, PLAIN, 1);
        Array slope = tensor(DType.FLOAT32, Shape.of(1, 1, 2, 2), 1, 0, 0, 2);
        assertArrayEquals(
                new double[] {1, 10, 0, 100, 1002, 20, 0, 200, 2000},
                doubles(run(op.to(Convolution.Fn.INPUT, image.shape()), kernel, slope)));
        assertArrayEquals(
                new double[] {11, 14, 20, 23},
                doubles(run(op.to(Convolution.Fn.WEIGHT, kernel.shape()), image, slope)));
    }

    @Test
    void anEmptySumIsZero() {
        Array nothing = empty(DType.FLOAT32, 1, 0, 3, 3);
        Array result = run(Convolution.forward(PLAIN, PLAIN, 1), nothing, empty(DType.FLOAT32, 2, 0, 2, 2));
        assertArrayEquals(new double[8], doubles(result));
    }

    @Test
    void poolingTakesTheFirstLargest() {
        Array plane = tensor(DType.FLOAT32, Shape.of(1, 2, 4), 1, 5, 5, 2, 5, 0, 7, Double.NaN);
        Array[] results = runAll(new MaxPool(Shape.of(2, 2), PLAIN, new Slide(2, 0, 1), false), plane);
        assertArrayEquals(new double[] {5, Double.NaN}, doubles(results[0]));
        assertArrayEquals(new long[] {1, 7}, longs(results[1]));
    }

    @Test
    void paddingIsNeverTheLargest() {
        Array plane = tensor(DType.FLOAT32, Shape.of(1, 1, 3), -3, -2, Double.NEGATIVE_INFINITY);
        Slide padded = new Slide(2, 1, 1);
        Array[] results = runAll(new MaxPool(Shape.of(1, 2), PLAIN, padded, true), plane);
        assertArrayEquals(new double[] {-3, -2}, doubles(results[0]));
        assertArrayEquals(new long[] {0, 1}, longs(results[1]));
        assertEquals(Shape.of(1, 1, 2), results[0].shape());
    }

    /** A window of this size is not iterated over. */
    @Test
    void aHugeWindowHoldsWhatIsThere() {
        Array plane = tensor(DType.FLOAT32, Shape.of(1, 1, 3), 4, 6, 5);
        Slide padded = new Slide(1 << 30, (1 << 30) - 1, 1);
        Array[] results = runAll(new MaxPool(Shape.of(1, Integer.MAX_VALUE), PLAIN, padded, false), plane);
        assertArrayEquals(new double[] {6}, doubles(results[0]));
        assertArrayEquals(new long[] {1}, longs(results[1]));
    }
}
