package dev.outpost.runtime.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProductsTest {
    /** Products so long that they are cut into several calls of the BLAS, across rows and across columns. */
    @Test
    void longProductsAreCutWithoutATrace() {
        check(1200, 1000, 1000);
        check(300, 2100, 1800);
    }

    private static void check(int m, int n, int k) {
        try (Workers workers = new Workers(2)) {
            Elementwise elementwise = new Elementwise(new LoopCache(8), workers, new BufferPool(0));
            Optional<OpenBlas> blas = OpenBlas.load();
            HeapBuffer left = HeapBuffer.allocate(DType.FLOAT32, m * k);
            HeapBuffer right = HeapBuffer.allocate(DType.FLOAT32, k * n);
            HeapBuffer result = HeapBuffer.allocate(DType.FLOAT32, m * n);
            fill(left, m, k, 7, 1);
            fill(right, k, n, 1, 5);
            new Products(elementwise, blas)
                    .run(
                            Array.contiguous(left, Shape.of(1, m, k)),
                            Array.contiguous(right, Shape.of(1, k, n)),
                            Array.contiguous(result, Shape.of(1, m, n)));
            for (int element = 0; element < m * n; element++) {
                assertEquals(k * (element / n % 7) * (element % n % 5), result.floats()[element]);
            }
        }
    }

    /** Each element is its row's number by one modulus plus its column's by the other: exact in every sum. */
    private static void fill(HeapBuffer matrix, int rows, int columns, int rowModulus, int columnModulus) {
        for (int element = 0; element < rows * columns; element++) {
            matrix.floats()[element] = element / columns % rowModulus + element % columns % columnModulus;
        }
    }
}
