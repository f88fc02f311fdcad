package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** Random values from a seed; each call returns new ones. */
public final class RandomValues {
    private final SplittableRandom random;

    public RandomValues(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns values that are uniform in [-bound, bound). */
    public HostTensor uniform(double bound, long... shape) {
        return floats(unit -> bound * (2 * unit - 1), shape);
    }

    HostTensor constant(double value, long... shape) {
        return floats(unit -> value, shape);
    }

    /** Returns integers from 0 to below count. */
    public HostTensor classes(int count, long... shape) {
        long[] values = new long[elements(shape)];
        for (int index = 0; index < values.length; index++) {
            values[index] = random.nextInt(count);
        }
        return HostTensor.of(values, shape);
    }

    /** Returns an orthogonal matrix (a reflection), so that repeated products neither grow nor vanish. */
    public HostTensor reflection(int size) {
        float[] axis = uniform(1, size).toFloatArray();
        double square = 0;
        for (float component : axis) {
            square += component * component;
        }
        float[] matrix = new float[size * size];
        for (int index = 0; index < matrix.length; index++) {
            int row = index / size;
            int column = index % size;
            matrix[index] = (float) ((row == column ? 1 : 0) - 2 * axis[row] * axis[column] / square);
        }
        return HostTensor.of(matrix, size, size);
    }

    private HostTensor floats(DoubleUnaryOperator fromUnit, long... shape) {
        float[] values = new float[elements(shape)];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) fromUnit.applyAsDouble((random.nextInt() >>> 8) * 0x1p-24);
        }
        return HostTensor.of(values, shape);
    }

    private static int elements(long... shape) {
        long elements = 1;
        for (long size : shape) {
            elements = Math.multiplyExact(elements, size);
        }
        return Math.toIntExact(elements);
    }
}
