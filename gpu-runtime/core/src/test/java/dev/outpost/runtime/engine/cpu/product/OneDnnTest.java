package dev.outpost.runtime.engine.cpu.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OneDnnTest {
    private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

    /** If oneDNN were too old for signals, or missing from the class path, OpenBLAS would silently compute all products. */
    @Test
    void itIsThereWhereTheProcessorHasAvx512() throws IOException {
        requireProcessor();
        assertTrue(OneDnn.library().isPresent());
    }

    @Test
    void itIsForAllButSmallAndNarrowProducts() {
        assertTrue(OneDnn.isFor(10, 512, 64));
        assertTrue(OneDnn.isFor(1, 4096, 8));
        assertFalse(OneDnn.isFor(16, 16, 64));
        assertFalse(OneDnn.isFor(512, 7, 512));
        assertFalse(OneDnn.isFor(512, 512, 7));
    }

    /** Sums of small integers are exact in any order. */
    @Test
    void smallProductsAreRightHoweverOperandsLie() throws IOException {
        requireProcessor();
        SplittableRandom random = new SplittableRandom(81);
        for (int round = 0; round < 200; round++) {
            int m = random.nextInt(1, 130);
            int n = random.nextInt(8, 130);
            int k = random.nextInt(8, 130);
            check(m, n, k, round % 2 == 0, round % 4 < 2);
        }
    }

    private static void check(int m, int n, int k, boolean isLeftTurned, boolean isRightTurned) {
        float[] a = new float[m * k];
        float[] b = new float[k * n];
        float[] expected = new float[m * n];
        for (int row = 0; row < m; row++) {
            for (int term = 0; term < k; term++) {
                float x = (row + 2 * term) % 7;
                a[isLeftTurned ? term * m + row : row * k + term] = x;
                for (int column = 0; column < n; column++) {
                    float y = (term + 3 * column) % 5;
                    b[isRightTurned ? column * k + term : term * n + column] = y;
                    expected[row * n + column] += x * y;
                }
            }
        }
        float[] c = new float[m * n];
        OneDnn.library()
                .orElseThrow()
                .multiply(
                        m,
                        n,
                        k,
                        1,
                        new Matrix(a, 0, isLeftTurned, isLeftTurned ? m : k),
                        new Matrix(b, 0, isRightTurned, isRightTurned ? k : n),
                        0,
                        new Matrix(c, 0, false, n));
        for (int element = 0; element < c.length; element++) {
            assertEquals(expected[element], c[element], m + ", " + n + ", " + k);
        }
    }

    private static void requireProcessor() throws IOException {
        assumeTrue(
                Files.isReadable(PROCESSOR) && Files.readString(PROCESSOR).contains("avx512f"),
                "the processor has no AVX-512");
    }
}
