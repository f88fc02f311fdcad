package dev.outpost.system;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import org.junit.jupiter.api.Assertions;

/** The allowed differences of a computed value from a reference in double precision: one table, by dtype. */
public final class Closeness {
    private Closeness() {}

    private static double relative(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-12;
            case FLOAT32 -> 1e-5;
            case FLOAT16 -> 2e-3;
            case BFLOAT16 -> 2e-2;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> 0;
        };
    }

    /** Fails unless every element is within the dtype's tolerance, relative to its magnitude or to 1. */
    public static void assertClose(double[] expected, Tensor actual) {
        assertClose(expected, actual.toHost());
    }

    public static void assertClose(double[] expected, HostTensor actual) {
        double[] values = actual.toDoubleArray();
        Assertions.assertEquals(expected.length, values.length);
        for (int i = 0; i < expected.length; i++) {
            double allowed = relative(actual.dtype()) * Math.max(1, Math.abs(expected[i]));
            Assertions.assertEquals(expected[i], values[i], allowed, "element " + i);
        }
    }
}
