package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.MatrixType;
import dev.outpost.runtime.cuda.driver.DeviceMemory;

/** Elements of a matrix type in host memory, and their conversion for the device and back. */
final class HostMatrices {
    private HostMatrices() {}

    static float[] rounded(MatrixType type, float[] numbers) {
        return switch (type) {
            case FLOAT32 -> numbers;
            case FLOAT16, BFLOAT16 -> widened(type, narrowed(type, numbers));
        };
    }

    static DeviceMemory upload(MatrixType type, float[] numbers) {
        return switch (type) {
            case FLOAT32 -> DeviceMemory.of(numbers);
            case FLOAT16, BFLOAT16 -> DeviceMemory.of(narrowed(type, numbers));
        };
    }

    static float[] download(MatrixType type, DeviceMemory memory, int count) {
        return switch (type) {
            case FLOAT32 -> memory.floats(count);
            case FLOAT16, BFLOAT16 -> widened(type, memory.shorts(count));
        };
    }

    private static short[] narrowed(MatrixType type, float[] numbers) {
        short[] narrow = new short[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            // Truncated: bfloat16 is the upper half, and samples need not be rounded to the nearest number.
            narrow[i] = type == MatrixType.FLOAT16
                    ? Float.floatToFloat16(numbers[i])
                    : (short) (Float.floatToRawIntBits(numbers[i]) >>> 16);
        }
        return narrow;
    }

    private static float[] widened(MatrixType type, short[] narrow) {
        float[] numbers = new float[narrow.length];
        for (int i = 0; i < narrow.length; i++) {
            numbers[i] = type == MatrixType.FLOAT16
                    ? Float.float16ToFloat(narrow[i])
                    : Float.intBitsToFloat(narrow[i] << 16);
        }
        return numbers;
    }
}
