package dev.outpost.runtime.engine.cpu.strip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.window.Im2colWindows;
import dev.outpost.types.Shape;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows give the same matrix and the same sums, whichever code copies the strips and however warm the JIT is. */
class FloatIm2colCopiesTest {
    private static final int CHANNELS = 3;
    private static final int IMAGE_AT = 5;
    private static final int DRAWN = 400;
    private static final int ROUNDS = 3000;

    @Test
    void aMatrixHoldsTheElementOfEachPlaceOrZero() {
        Random random = new Random(21);
        for (int count = 0; count < DRAWN; count++) {
            check(drawn(random), random);
        }
    }

    @Test
    void theJitChangesNothing() {
        Random random = new Random(22);
        Im2colWindows windows = windows(new Slide(1, 1, 1), new Slide(1, 1, 1), 9, 11, 3, 3);
        for (int round = 0; round < ROUNDS; round++) {
            check(windows, random);
        }
    }

    @Test
    void vectorsMoveTheVeryBits() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        Random random = new Random(23);
        for (int width : new int[] {1, 2, 11, 15, 16, 17, 33, 70}) {
            for (int begin = 0; begin <= Math.min(width, 3); begin++) {
                compare(width, begin, Math.max(begin, width - random.nextInt(3)), random);
            }
        }
    }

    private static void compare(int width, int begin, int end, Random random) {
        int lines = 4;
        int apart = width + 7;
        int pitch = lines * width + 3;
        TapRange whole = new TapRange(1 - begin, begin, end);
        TapRange shifted = new TapRange(3 - begin, begin, end);
        TapRange nowhere = new TapRange(0, 0, 0);
        Im2colStrip strip = new Im2colStrip(4, apart, 6, pitch, width, lines, whole, nowhere, shifted);
        float[] image = numbers(lines * apart + 8, random);
        float[] columns = numbers(3 * pitch + 8, random);
        same(FloatIm2colCopies::copy, VectorIm2colCopies::copy, image, columns, strip);
        same(FloatIm2colCopies::add, VectorIm2colCopies::add, image, columns, strip);
    }

    private static void same(
            FloatIm2colCopies.Move plain,
            FloatIm2colCopies.Move vectors,
            float[] image,
            float[] columns,
            Im2colStrip strip) {
        float[] imageByVectors = image.clone();
        float[] columnsByVectors = columns.clone();
        float[] imageByPlain = image.clone();
        float[] columnsByPlain = columns.clone();
        plain.run(imageByPlain, columnsByPlain, strip);
        vectors.run(imageByVectors, columnsByVectors, strip);
        assertArrayEquals(imageByPlain, imageByVectors, strip::toString);
        assertArrayEquals(columnsByPlain, columnsByVectors, strip::toString);
    }

    /** A part of the matrix, from one place to another, copied and added up again. */
    private static void check(Im2colWindows windows, Random random) {
        int from = random.nextInt(windows.places());
        int to = from + 1 + random.nextInt(windows.places() - from);
        float[] image = numbers(IMAGE_AT + CHANNELS * windows.plane(), random);
        float[] matrix = numbers(CHANNELS * windows.kernel() * (to - from) + 8, random);
        float[] expected = matrix.clone();
        for (int row = 0; row < CHANNELS * windows.kernel(); row++) {
            for (int place = from; place < to; place++) {
                int element = element(windows, row, place);
                expected[row * (to - from) + place - from] = element < 0 ? 0 : image[IMAGE_AT + element];
            }
        }
        windows.copy(image, IMAGE_AT, CHANNELS, from, to, matrix);
        assertArrayEquals(expected, matrix, () -> windows + " from " + from + " to " + to);
        float[] sums = image.clone();
        for (int row = 0; row < CHANNELS * windows.kernel(); row++) {
            for (int place = from; place < to; place++) {
                int element = element(windows, row, place);
                if (element >= 0) {
                    sums[IMAGE_AT + element] += matrix[row * (to - from) + place - from];
                }
            }
        }
        windows.add(matrix, CHANNELS, from, to, image, IMAGE_AT);
        assertEquals(sums.length, image.length);
        for (int i = 0; i < sums.length; i++) {
            assertEquals(sums[i], image[i], 1e-4f, windows + " from " + from + " to " + to);
        }
    }

    /** The position in the image of a row's kernel element at a place; negative on padding. */
    private static int element(Im2colWindows windows, int row, int place) {
        int inKernel = row % windows.kernel();
        int y = y(windows.rows(), place / windows.across(), inKernel / windows.kernelWidth());
        int x = y(windows.columns(), place % windows.across(), inKernel % windows.kernelWidth());
        boolean isInside = y >= 0 && y < windows.height() && x >= 0 && x < windows.width();
        return isInside ? row / windows.kernel() * windows.plane() + y * windows.width() + x : -1;
    }

    private static int y(Slide slide, int place, int element) {
        return place * slide.stride() - slide.padding() + element * slide.dilation();
    }

    private static Im2colWindows drawn(Random random) {
        Slide rows = new Slide(1 + random.nextInt(2), random.nextInt(4), 1 + random.nextInt(2));
        Slide columns = new Slide(1 + random.nextInt(3) / 2, random.nextInt(4), 1 + random.nextInt(2));
        int height = 6 + random.nextInt(8);
        int width = 6 + random.nextInt(40);
        return windows(rows, columns, height, width, 1 + random.nextInt(3), 1 + random.nextInt(3));
    }

    private static Im2colWindows windows(Slide rows, Slide columns, int height, int width, int down, int right) {
        return Im2colWindows.of(
                Shape.of(1, CHANNELS, height, width),
                Shape.of(1, CHANNELS, down, right),
                Shape.of(
                        1,
                        1,
                        rows.places("conv2d", height, down, false),
                        columns.places("conv2d", width, right, false)),
                rows,
                columns);
    }

    private static float[] numbers(int count, Random random) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
