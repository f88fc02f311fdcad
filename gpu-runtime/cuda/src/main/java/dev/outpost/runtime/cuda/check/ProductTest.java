package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.blas.MatrixMultiplier;
import dev.outpost.runtime.cuda.blas.MatrixProduct;
import dev.outpost.runtime.cuda.blas.MatrixType;
import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import java.util.Map;

/** Multiplies matrices with different sizes, so that none can be mixed up, and compares the result with a product in doubles. */
record ProductTest(MatrixType type, MatrixMultiplier multiplier, CudaStream stream) {
    private static final int M = 192;
    private static final int N = 320;
    private static final int K = 256;
    private static final int SIZE_OF_TIMED = 4096;

    static CheckMeasurement run(CublasLt library, MatrixType type, CudaStream stream) {
        try (MatrixMultiplier multiplier = new MatrixMultiplier(library)) {
            ProductTest test = new ProductTest(type, multiplier, stream);
            double largest = test.compare();
            double rate = test.rate();
            return CheckMeasurement.of(
                    Map.of("largest error, of its bound", largest, "FLOP/s", rate),
                    "largest error %.2f of the bound for rounding; %.1f TFLOP/s at %d",
                    largest,
                    rate / 1e12,
                    SIZE_OF_TIMED);
        }
    }

    /** Returns the largest error, as a fraction of the allowed one. */
    private double compare() {
        float[] a = HostMatrices.rounded(type, CheckSamples.floats(M * K, 1));
        float[] b = HostMatrices.rounded(type, CheckSamples.floats(K * N, 2));
        float[] c = multiply(a, b);
        double largest = 0;
        for (int i = 0; i < M * N; i++) {
            largest = Math.max(largest, error(a, b, c, i / N, i % N));
        }
        return largest;
    }

    private float[] multiply(float[] a, float[] b) {
        try (DeviceMemory onDeviceA = HostMatrices.upload(type, a);
                DeviceMemory onDeviceB = HostMatrices.upload(type, b);
                DeviceMemory c = new DeviceMemory((long) M * N * type.bytes());
                MatrixProduct product = multiplier.plan(type, M, N, K)) {
            product.run(onDeviceA, onDeviceB, c, stream);
            return HostMatrices.download(type, c, M * N);
        }
    }

    private double error(float[] a, float[] b, float[] c, int row, int column) {
        double exact = 0;
        double sizes = 0;
        for (int i = 0; i < K; i++) {
            double term = (double) a[row * K + i] * b[i * N + column];
            exact += term;
            sizes += Math.abs(term);
        }
        float actual = c[row * N + column];
        double error = Math.abs(actual - exact) / ProductBound.of(type, K, exact, sizes);
        // Negated, so that NaN fails too.
        if (!(error <= 1)) {
            throw new WrongResultException("element [%d, %d] is %s, expected %s".formatted(row, column, actual, exact));
        }
        return error;
    }

    private double rate() {
        long bytes = (long) SIZE_OF_TIMED * SIZE_OF_TIMED * type.bytes();
        float[] numbers = CheckSamples.floats(SIZE_OF_TIMED * SIZE_OF_TIMED, 3);
        try (DeviceMemory a = HostMatrices.upload(type, numbers);
                DeviceMemory c = new DeviceMemory(bytes);
                MatrixProduct product = multiplier.plan(type, SIZE_OF_TIMED, SIZE_OF_TIMED, SIZE_OF_TIMED)) {
            double seconds = DeviceTimer.seconds(stream, () -> product.run(a, a, c, stream));
            return 2.0 * SIZE_OF_TIMED * SIZE_OF_TIMED * SIZE_OF_TIMED / seconds;
        }
    }
}
