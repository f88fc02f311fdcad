package dev.outpost.testing;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Comparisons for tests, like torch.testing.assert_close. An {@link AssertionError} shows the number of different
 * elements, and the place of the largest difference. They need no test framework. Thread-safe.
 */
public final class TensorAssertions {
    private TensorAssertions() {}

    /**
     * Fails unless shape and dtype are equal, and elements are equal within PyTorch's tolerances for the dtype.
     * Integers must be equal. NaN differs from every element.
     *
     * {@snippet file="TrainingExamplesTest.java" region="assertClose"}
     */
    public static void assertClose(Tensor actual, Tensor expected) {
        assertClose(actual.toHost(), expected.toHost());
    }

    /** Same as {@link #assertClose(Tensor, Tensor)}. */
    public static void assertClose(HostTensor actual, HostTensor expected) {
        assertClose(actual, expected, relative(expected.dtype()), absolute(expected.dtype()), false);
    }

    /** Fails unless shape, dtype and all elements are equal; NaN equals NaN. */
    public static void assertEqual(Tensor actual, Tensor expected) {
        assertClose(actual.toHost(), expected.toHost(), 0, 0, true);
    }

    /**
     * Fails unless {@code |actual - expected| <= absolute + relative · |expected|}, like {@link
     * #assertClose(HostTensor, HostTensor, double, double, boolean)}.
     */
    public static void assertClose(
            Tensor actual, Tensor expected, double relative, double absolute, boolean nanIsEqual) {
        assertClose(actual.toHost(), expected.toHost(), relative, absolute, nanIsEqual);
    }

    /**
     * Fails unless shape and dtype are equal, and {@code |actual - expected| <= absolute + relative · |expected|} for each element.
     *
     * @param nanIsEqual true if NaN is equal to NaN; otherwise it differs from everything
     */
    public static void assertClose(
            HostTensor actual, HostTensor expected, double relative, double absolute, boolean nanIsEqual) {
        if (!actual.shape().equals(expected.shape())) {
            throw new AssertionError("shapes differ: expected " + expected.shape() + ", got " + actual.shape());
        }
        if (actual.dtype() != expected.dtype()) {
            throw new AssertionError("dtypes differ: expected " + expected.dtype() + ", got " + actual.dtype());
        }
        long elements = expected.shape().elements();
        long count = 0;
        long worst = -1;
        double largest = -1;
        for (long at = 0; at < elements; at++) {
            double off = distance(actual, expected, at, nanIsEqual);
            double allowed = absolute + relative * Math.abs(expected.getDouble(at));
            if (off != 0 && !(off <= allowed)) {
                count++;
                if (worst < 0 || off > largest || Double.isNaN(off) && !Double.isNaN(largest)) {
                    worst = at;
                    largest = off;
                }
            }
        }
        if (count > 0) {
            throw new AssertionError(
                    "%d of %d elements differ (relative %s, absolute %s); most at %s: expected %s, got %s"
                            .formatted(
                                    count,
                                    elements,
                                    relative,
                                    absolute,
                                    place(expected.shape(), worst),
                                    text(expected, worst),
                                    text(actual, worst)));
        }
    }

    /** Returns the difference: 0 for equal elements; NaN if one of them is NaN and they do not count as equal. */
    private static double distance(HostTensor actual, HostTensor expected, long at, boolean nanIsEqual) {
        if (!expected.dtype().isFloating()) {
            // They are compared as integers, because doubles cannot distinguish neighbouring 64-bit integers.
            long difference = actual.getLong(at) - expected.getLong(at);
            return difference == 0 ? 0 : Math.max(1, Math.abs((double) difference));
        }
        double left = actual.getDouble(at);
        double right = expected.getDouble(at);
        boolean isEqual = left == right || nanIsEqual && Double.isNaN(left) && Double.isNaN(right);
        return isEqual ? 0 : Math.abs(left - right);
    }

    private static String text(HostTensor tensor, long at) {
        return tensor.dtype().isFloating() ? Double.toString(tensor.getDouble(at)) : Long.toString(tensor.getLong(at));
    }

    private static String place(Shape shape, long element) {
        long[] position = new long[shape.rank()];
        long rest = element;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            position[dim] = rest % shape.size(dim);
            rest /= shape.size(dim);
        }
        return Arrays.toString(position);
    }

    private static double relative(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-7;
            case FLOAT32 -> 1.3e-6;
            case FLOAT16 -> 1e-3;
            case BFLOAT16 -> 1.6e-2;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> 0;
        };
    }

    private static double absolute(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 1e-7;
            case FLOAT32, FLOAT16, BFLOAT16 -> 1e-5;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> 0;
        };
    }
}
