package dev.outpost.runtime.engine.cpu.product;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Small products against sums in double precision, and their vectors against plain code bit by bit. */
@Tag("quick")
class SmallProductTest {
    private static final int ROUNDS = 400;

    private final SplittableRandom random = new SplittableRandom(5);

    @Test
    void smallMeansFewMultiplicationsInWholeRegisters() {
        assertTrue(SmallProduct.isFor(16, 16, 16));
        assertTrue(SmallProduct.isFor(32, 16, 8));
        assertFalse(SmallProduct.isFor(16, 16, 17));
        assertFalse(SmallProduct.isFor(18, 16, 4));
        assertFalse(SmallProduct.isFor(16, 24, 4));
        assertFalse(SmallProduct.isFor(4, 16, 16));
        assertFalse(SmallProduct.isFor(1 << 16, 1 << 16, 1));
    }

    @Test
    void plainCodeSumsProducts() {
        for (int round = 0; round < ROUNDS; round++) {
            Case some = new Case();
            float[] result = some.before.clone();
            some.on(result).plain();
            some.check(result);
        }
    }

    @Test
    void vectorsComputeTheSameBits() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        for (int round = 0; round < ROUNDS; round++) {
            Case some = new Case();
            float[] plain = some.before.clone();
            float[] vectors = some.before.clone();
            some.on(plain).plain();
            VectorProducts.run(some.on(vectors));
            assertArrayEquals(plain, vectors, some::toString);
        }
    }

    /** While the vector code is not compiled yet, it computes only some of the rows. */
    @Test
    void bothImplementationsGiveTheSameBits() {
        for (int round = 0; round < ROUNDS; round++) {
            Case some = new Case();
            float[] plain = some.before.clone();
            float[] both = some.before.clone();
            some.on(plain).plain();
            some.on(both).run();
            assertArrayEquals(plain, both, some::toString);
        }
    }

    /** Random sizes, offsets and surroundings of the matrices. */
    private final class Case {
        private final int m = SmallProduct.ROWS * random.nextInt(1, 9);
        private final int n = SmallProduct.COLUMNS * random.nextInt(1, 4);
        private final int k = random.nextInt(1, 40);
        private final float factor = random.nextBoolean() ? 1 : 0.3f;
        private final Matrix a = matrix(m, k, random.nextBoolean());
        private final Matrix b = matrix(k, n, random.nextBoolean());
        private final Matrix c = matrix(m, n, false);
        private final float[] before = (float[]) c.elements();

        private Matrix matrix(int rows, int columns, boolean transposed) {
            int leading = (transposed ? rows : columns) + random.nextInt(3);
            int offset = random.nextInt(5);
            float[] elements = new float[offset + leading * (transposed ? columns : rows)];
            for (int index = 0; index < elements.length; index++) {
                elements[index] = (float) random.nextDouble(-1, 1);
            }
            return new Matrix(elements, offset, transposed, leading);
        }

        SmallProduct on(float[] result) {
            return SmallProduct.of(m, n, k, factor, a, b, new Matrix(result, c.offset(), false, c.leading()));
        }

        void check(float[] result) {
            float[] expected = before.clone();
            for (int row = 0; row < m; row++) {
                for (int column = 0; column < n; column++) {
                    double sum = 0;
                    for (int term = 0; term < k; term++) {
                        sum += (double) at(a, row, term) * at(b, term, column);
                    }
                    int place = c.from(row, column).offset();
                    expected[place] = (float) (sum * factor);
                }
            }
            for (int index = 0; index < expected.length; index++) {
                assertEquals(expected[index], result[index], 1e-5f, toString());
            }
        }

        private static float at(Matrix matrix, int row, int column) {
            return ((float[]) matrix.elements())[matrix.from(row, column).offset()];
        }

        @Override
        public String toString() {
            return m + " x " + n + " of " + k + ", left " + (a.transposed() ? "turned" : "as it is") + ", right "
                    + (b.transposed() ? "turned" : "as it is");
        }
    }
}
