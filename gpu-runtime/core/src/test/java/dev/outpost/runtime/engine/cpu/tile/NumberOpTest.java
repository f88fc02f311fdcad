package dev.outpost.runtime.engine.cpu.tile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A row and a number give the same bits as two rows, one of which is filled with that number. */
class NumberOpTest {
    private static final int LENGTH = 2100;
    private static final int ROUNDS = 2000;

    @Test
    void theBitsAreThoseOfTwoRows() {
        for (Binary op : List.of(Binary.ADD, Binary.SUB, Binary.MUL, Binary.DIV)) {
            for (int count : new int[] {1, 15, 17, 64, 1000, 2048}) {
                for (int round = 0; round < (count == 2048 ? ROUNDS : 1); round++) {
                    compare(op, count);
                }
            }
        }
    }

    @Test
    void theExponentialOfADifferenceHasTheBitsOfBoth() {
        for (int round = 0; round < ROUNDS; round++) {
            int count = round % 2 == 0 ? 1000 : 2048;
            float[] row = new float[LENGTH];
            Random random = new Random(count);
            for (int i = 0; i < LENGTH; i++) {
                row[i] = (float) random.nextGaussian() * 40;
            }
            row[7] = Float.NaN;
            row[8] = Float.POSITIVE_INFINITY;
            float[] expected = new float[LENGTH];
            float[] found = new float[LENGTH];
            NumberOp.SUB.run(row, 5, 0.3f, expected, 9, count);
            TileOps.of(Unary.EXP).orElseThrow().run(expected, 9, expected, 9, expected, 9, count);
            NumberOp.EXP_OF_SUB.run(row, 5, 0.3f, found, 9, count);
            assertArrayEquals(expected, found, "of " + count);
        }
    }

    /** Tests exponentials down to 0, whose code is faster than that for arbitrary differences. */
    @Test
    void theExponentialOfWhatIsLackingHasTheBitsOfBoth() {
        for (int round = 0; round < ROUNDS; round++) {
            int count = round % 2 == 0 ? 1000 : 2048;
            float[] row = new float[LENGTH];
            Random random = new Random(round);
            for (int i = 0; i < LENGTH; i++) {
                row[i] = -150 * random.nextFloat();
            }
            row[7] = Float.NaN;
            row[8] = Float.NEGATIVE_INFINITY;
            row[9] = 0;
            float[] expected = new float[LENGTH];
            float[] found = new float[LENGTH];
            NumberOp.EXP_OF_SUB.run(row, 5, 0f, expected, 9, count);
            NumberOp.EXP_OF_FALL.run(row, 5, 0f, found, 9, count);
            assertArrayEquals(expected, found, "of " + count);
        }
    }

    private static void compare(Binary op, int count) {
        float[] row = new float[LENGTH];
        float[] numbers = new float[LENGTH];
        Random random = new Random(count);
        for (int i = 0; i < LENGTH; i++) {
            row[i] = (float) random.nextGaussian();
        }
        Arrays.fill(numbers, 0.3f);
        float[] expected = new float[LENGTH];
        float[] found = new float[LENGTH];
        TileOps.of(op).orElseThrow().run(row, 5, numbers, 0, expected, 9, count);
        NumberOp.of(op).orElseThrow().run(row, 5, 0.3f, found, 9, count);
        assertArrayEquals(expected, found, op + " of " + count);
    }
}
