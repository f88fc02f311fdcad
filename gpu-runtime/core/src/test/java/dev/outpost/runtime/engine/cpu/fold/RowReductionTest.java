package dev.outpost.runtime.engine.cpu.fold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows are reduced by the tree of {@link RowReduction}, in every implementation and however warm the JIT is. */
class RowReductionTest {
    private static final int ROUNDS = 3000;

    @Test
    void theTreeIsTheOneThatIsDescribed() {
        for (int count : new int[] {1, 2, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 1000, 1024, 4099}) {
            float[] row = row(count);
            for (int round = 0; round < (count == 1024 ? ROUNDS : 2); round++) {
                float sum = RowReduction.of(Reduce.Fn.SUM).fold(row, 3, count, new float[RowReduction.LANES]);
                assertEquals(Float.floatToIntBits(sum(row, count)), Float.floatToIntBits(sum), "of " + count);
            }
        }
    }

    @Test
    void extremesAreTheFirstAndLastInOrder() {
        float[] row = row(777);
        float[] sorted = Arrays.copyOfRange(row, 3, 3 + 777);
        Arrays.sort(sorted);
        float[] lanes = new float[RowReduction.LANES];
        assertEquals(sorted[776], RowReduction.of(Reduce.Fn.MAX).fold(row, 3, 777, lanes));
        assertEquals(sorted[0], RowReduction.of(Reduce.Fn.MIN).fold(row, 3, 777, lanes));
        row[500] = Float.NaN;
        assertEquals(Float.NaN, RowReduction.of(Reduce.Fn.MAX).fold(row, 3, 777, lanes));
    }

    @Test
    void vectorsFoldToTheVeryBits() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        for (int count : new int[] {64, 65, 128, 576, 600, 1024, 4099}) {
            compare(Reduce.Fn.SUM, VectorFolds::sum, count);
            compare(Reduce.Fn.MAX, VectorFolds::max, count);
            compare(Reduce.Fn.MIN, VectorFolds::min, count);
        }
    }

    @Test
    void rowsTogetherFoldToTheVeryBits() {
        for (Reduce.Fn fn : new Reduce.Fn[] {Reduce.Fn.SUM, Reduce.Fn.MAX, Reduce.Fn.MIN}) {
            RowReduction fold = RowReduction.of(fn);
            // Long enough that the vector loops are used.
            for (int round = 0; round < 200; round++) {
                for (int columns : new int[] {1, 2, 10, 16, 17, 63, 64, 65, 128, 576, 600}) {
                    int rows = 1 + (round + columns) % 5;
                    float[] matrix = row(rows * columns);
                    float[] found = new float[rows + 4];
                    fold.foldRows(matrix, 3, columns, rows, found, 2, RowReduction.room());
                    for (int row = 0; row < rows; row++) {
                        float plain = fold.plain(matrix, 3 + row * columns, columns, new float[RowReduction.LANES]);
                        assertEquals(
                                Float.floatToIntBits(plain),
                                Float.floatToIntBits(found[2 + row]),
                                fn + " of " + columns);
                    }
                    assertEquals(0, found[1] + found[2 + rows], "neighbours are untouched");
                }
            }
        }
    }

    @Test
    void vectorsFoldPairsToTheVeryBits() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        for (int count : new int[] {64, 65, 128, 576, 600, 1024, 4099}) {
            comparePair(Reduce.Fn.SUM, VectorFolds::sums, count);
            comparePair(Reduce.Fn.MAX, VectorFolds::largest, count);
            comparePair(Reduce.Fn.MIN, VectorFolds::smallest, count);
        }
    }

    private static void comparePair(Reduce.Fn fn, RowReduction.Pair vectors, int count) {
        float[] rows = row(2 * count);
        float[] found = new float[4];
        float[][] room = RowReduction.room();
        vectors.fold(rows, 3, 3 + count, count, room[0], room[1], found, 1);
        for (int row = 0; row < 2; row++) {
            float plain = RowReduction.of(fn).plain(rows, 3 + row * count, count, new float[RowReduction.LANES]);
            assertEquals(Float.floatToIntBits(plain), Float.floatToIntBits(found[1 + row]), fn + " of " + count);
        }
    }

    private static void compare(Reduce.Fn fn, RowReduction.Whole vectors, int count) {
        float[] row = row(count);
        float plain = RowReduction.of(fn).plain(row, 3, count, new float[RowReduction.LANES]);
        float found = vectors.fold(row, 3, count, new float[RowReduction.LANES]);
        assertEquals(Float.floatToIntBits(plain), Float.floatToIntBits(found), fn + " of " + count);
    }

    /** Reduces by lanes, and then by halves of the lanes. */
    private static float sum(float[] row, int count) {
        int width = count <= 16 ? 1 : Math.min(64, Integer.highestOneBit(count));
        float[] lanes = Arrays.copyOfRange(row, 3, 3 + width);
        for (int i = width; i < count; i++) {
            lanes[i % width] += row[3 + i];
        }
        for (int half = width / 2; half > 0; half /= 2) {
            for (int lane = 0; lane < half; lane++) {
                lanes[lane] += lanes[lane + half];
            }
        }
        return lanes[0];
    }

    private static float[] row(int count) {
        Random random = new Random(count);
        float[] row = new float[count + 8];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) random.nextGaussian();
        }
        return row;
    }
}
