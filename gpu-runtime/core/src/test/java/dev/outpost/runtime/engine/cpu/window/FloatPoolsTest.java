package dev.outpost.runtime.engine.cpu.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.engine.cpu.tile.WarmupTileOp;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The maximum of a window is the first of its largest elements, and NaN is above all numbers, in every implementation and however warm the
 * JIT is.
 */
class FloatPoolsTest {
    private static final int FROM = 3;
    private static final int AT = 2;
    private static final int PLANE = 300;
    private static final int ROUNDS = 3000;
    /** Few different values, so that many elements are equal. */
    private static final float[] NUMBERS = {
        0f, -0f, 1, -1, 2, Float.NaN, Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY
    };

    @FunctionalInterface
    private interface Search {
        void run(float[] elements, int from, int[][] looks, float[] values, int at, int[] indices);
    }

    @Test
    void theFirstOfTheLargestIsFound() {
        Random random = new Random(31);
        for (int round = 0; round < ROUNDS; round++) {
            check(FloatPools::largest, 1 + random.nextInt(50), random);
        }
    }

    @Test
    void vectorsFindTheSame() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        Random random = new Random(32);
        for (int round = 0; round < ROUNDS / 10; round++) {
            int windows = WarmupTileOp.MIN + random.nextInt(50);
            check(FloatPools::vectors, windows, random);
            check(FloatPools::plain, windows, random);
        }
    }

    private static void check(Search search, int windows, Random random) {
        float[] elements = new float[FROM + PLANE];
        int numbers = 1 + random.nextInt(NUMBERS.length);
        for (int i = 0; i < elements.length; i++) {
            elements[i] = NUMBERS[random.nextInt(numbers)];
        }
        int[][] looks = looks(1 + random.nextInt(5), windows, random);
        float[] values = new float[AT + looks[0].length];
        int[] indices = new int[looks[0].length];
        float[] expected = new float[values.length];
        int[] expectedIndices = new int[indices.length];
        for (int window = 0; window < indices.length; window++) {
            expectedIndices[window] = place(elements, looks, window);
            expected[AT + window] = elements[FROM + expectedIndices[window]];
        }
        search.run(elements, FROM, looks, values, AT, indices);
        assertArrayEquals(expectedIndices, indices);
        for (int i = 0; i < values.length; i++) {
            assertEquals(Float.floatToRawIntBits(expected[i]), Float.floatToRawIntBits(values[i]));
        }
    }

    /** Random offsets in each window, in ascending order; the last ones may be equal. */
    private static int[][] looks(int window, int windows, Random random) {
        int[][] looks = new int[window][windows];
        for (int place = 0; place < windows; place++) {
            int first = random.nextInt(PLANE - 3 * window);
            for (int element = 0; element < window; element++) {
                looks[element][place] = first + Math.min(element, 3) * 3;
            }
        }
        return looks;
    }

    private static int place(float[] elements, int[][] looks, int window) {
        int best = looks[0][window];
        for (int[] look : looks) {
            float element = elements[FROM + look[window]];
            float largest = elements[FROM + best];
            if (element > largest || Float.isNaN(element) && !Float.isNaN(largest)) {
                best = look[window];
            }
        }
        return best;
    }
}
