package dev.outpost.runtime.cuda.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.cuda.blas.MatrixType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The expectations of the self test. */
@Tag("quick")
class ExpectationsTest {
    @Test
    void theKernelIsReluOfASum() {
        float[] result = SampleKernel.expected(new float[] {2, 2}, new float[] {3, -3}, new float[] {1, 1});
        assertArrayEquals(new float[] {7, 0}, result);
    }

    @Test
    void numbersAreAsTheTypeHoldsThem() {
        float[] numbers = {1, -0.5f, 1 + 0x1p-7f, 1 + 0x1p-10f, 1 + 0x1p-23f};
        assertArrayEquals(numbers, HostMatrices.rounded(MatrixType.FLOAT32, numbers));
        assertArrayEquals(
                new float[] {1, -0.5f, 1 + 0x1p-7f, 1 + 0x1p-10f, 1},
                HostMatrices.rounded(MatrixType.FLOAT16, numbers));
        assertArrayEquals(
                new float[] {1, -0.5f, 1 + 0x1p-7f, 1, 1}, HostMatrices.rounded(MatrixType.BFLOAT16, numbers));
    }

    @Test
    void theBoundGrowsWithTheSumAndWithTheResult() {
        assertEquals(10 * 0x1p-23 * 4, ProductBound.of(MatrixType.FLOAT32, 10, 2, 4));
        assertEquals(10 * 0x1p-23 * 4 + 2 * 0x1p-8, ProductBound.of(MatrixType.BFLOAT16, 10, 2, 4));
        assertEquals(10 * 0x1p-23 * 4 + 2 * 0x1p-11 + 0x1p-25, ProductBound.of(MatrixType.FLOAT16, 10, 2, 4));
    }
}
