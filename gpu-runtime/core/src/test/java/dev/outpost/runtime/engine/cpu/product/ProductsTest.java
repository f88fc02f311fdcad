package dev.outpost.runtime.engine.cpu.product;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.LoopCache;
import dev.outpost.runtime.engine.cpu.memory.BufferPool;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProductsTest {
    /** Products so long that they are cut into several calls of the BLAS, across rows and across columns. */
    @Test
    void longProductsAreCutWithoutATrace() {
        check(1200, 1000, 1000);
        check(300, 2100, 1800);
    }

    /** A property that a test on one machine cannot prove for every BLAS, but that the BLAS here must have. */
    @Test
    void theNumberOfThreadsDoesNotChangeABit() {
        SplittableRandom random = new SplittableRandom(71);
        for (int round = 0; round < 30; round++) {
            int m = random.nextInt(40, 1100);
            int n = random.nextInt(40, 1900);
            int k = random.nextInt(100, 700);
            DType dtype = round % 3 == 0 ? DType.FLOAT64 : DType.FLOAT32;
            Array left = random(dtype, random, m, k, round % 2 == 0);
            Array right = random(dtype, random, k, n, round % 4 < 2);
            HeapBuffer alone = product(1, left, right, dtype, m, n);
            for (int threads : new int[] {2, 3, 5, 16}) {
                String message = threads + " threads, " + m + ", " + n + ", " + k + " of " + dtype;
                HeapBuffer together = product(threads, left, right, dtype, m, n);
                if (dtype == DType.FLOAT32) {
                    assertArrayEquals(alone.floats(), together.floats(), message);
                } else {
                    assertArrayEquals(alone.doubles(), together.doubles(), message);
                }
            }
        }
    }

    /** The library depends on the size of the product, and the size of a part on the number of threads. */
    @Test
    void theNumberOfThreadsDoesNotChangeTheLibrary() {
        SplittableRandom random = new SplittableRandom(72);
        for (int round = 0; round < 20_000; round++) {
            int m = random.nextInt(1, 1 << random.nextInt(1, 12));
            int n = random.nextInt(1, 1 << random.nextInt(1, 12));
            int k = random.nextInt(1, 1 << random.nextInt(1, 12));
            List<ProductPart> alone = ProductPart.cut(m, n, k, 1);
            boolean isLarge =
                    OneDnn.isFor(alone.getFirst().m(), alone.getFirst().n(), k);
            for (int threads = 1; threads < 40; threads++) {
                for (ProductPart part : ProductPart.cut(m, n, k, threads)) {
                    assertEquals(isLarge, OneDnn.isFor(part.m(), part.n(), part.k()), part + " of " + m + ", " + n);
                }
            }
        }
    }

    private static HeapBuffer product(int threads, Array left, Array right, DType dtype, int m, int n) {
        try (KernelThreads kernelThreads = new KernelThreads(threads)) {
            HeapBuffer result = HeapBuffer.allocate(dtype, m * n);
            new Products(
                            new Elementwise(new LoopCache(8, Chains.compiled(8)), kernelThreads, new BufferPool(0)),
                            Blas.load())
                    .run(left, right, Array.contiguous(result, Shape.of(1, m, n)));
            return result;
        }
    }

    private static Array random(DType dtype, SplittableRandom random, int rows, int columns, boolean transposed) {
        HeapBuffer matrix = HeapBuffer.allocate(dtype, rows * columns);
        for (int element = 0; element < rows * columns; element++) {
            if (dtype == DType.FLOAT32) {
                matrix.floats()[element] = (float) random.nextDouble(-1, 1);
            } else {
                matrix.doubles()[element] = random.nextDouble(-1, 1);
            }
        }
        if (!transposed) {
            return Array.contiguous(matrix, Shape.of(1, rows, columns));
        }
        Array turned = Array.contiguous(matrix, Shape.of(1, columns, rows));
        return new Array(matrix, turned.layout().transpose(1, 2));
    }

    /** Reused memory may contain anything, including NaN. */
    @Test
    void earlierContentOfTheResultIsOverwritten() {
        int[][] sizes = {{7, 5, 3}, {128, 96, 160}, {1, 1024, 1100}, {1100, 1100, 900}};
        for (int[] size : sizes) {
            check(size[0], size[1], size[2]);
        }
    }

    private static void check(int m, int n, int k) {
        try (KernelThreads kernelThreads = new KernelThreads(2)) {
            Elementwise elementwise =
                    new Elementwise(new LoopCache(8, Chains.compiled(8)), kernelThreads, new BufferPool(0));
            Optional<Blas> blas = Blas.load();
            HeapBuffer left = HeapBuffer.allocate(DType.FLOAT32, m * k);
            HeapBuffer right = HeapBuffer.allocate(DType.FLOAT32, k * n);
            HeapBuffer result = HeapBuffer.allocate(DType.FLOAT32, m * n);
            fill(left, m, k, 7, 1);
            fill(right, k, n, 1, 5);
            Arrays.fill(result.floats(), Float.NaN);
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
