package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Optional;

/** Compares a tensor with PyTorch's: dtype, shape, then element by element. */
public final class ParityComparison {
    private ParityComparison() {}

    /** Returns a sentence about the first difference, if there is one. */
    public static Optional<String> firstDifference(HostTensor actual, HostTensor expected) {
        if (actual.dtype() != expected.dtype()) {
            return difference("dtype", actual.dtype(), expected.dtype());
        }
        if (!actual.shape().equals(expected.shape())) {
            return difference("shape", actual.shape(), expected.shape());
        }
        return expected.dtype().isFloating()
                ? firstFloatingDifference(actual, expected)
                : firstExactDifference(actual, expected);
    }

    private static Optional<String> firstFloatingDifference(HostTensor actual, HostTensor expected) {
        ParityTolerance tolerance = ParityTolerance.of(expected.dtype());
        for (long index = 0; index < expected.shape().elements(); index++) {
            double got = actual.getDouble(index);
            double wanted = expected.getDouble(index);
            if (!tolerance.accepts(got, wanted)) {
                return difference(element(expected.shape(), index), got, wanted)
                        .map(sentence -> sentence + allowance(tolerance, wanted));
            }
        }
        return Optional.empty();
    }

    private static String allowance(ParityTolerance tolerance, double wanted) {
        return Double.isFinite(wanted) ? " within %.2g".formatted(tolerance.allowed(wanted)) : "";
    }

    /** Compares without doubles, because they cannot distinguish neighbouring 64-bit integers. */
    private static Optional<String> firstExactDifference(HostTensor actual, HostTensor expected) {
        for (long index = 0; index < expected.shape().elements(); index++) {
            if (actual.getLong(index) != expected.getLong(index)) {
                return difference(element(expected.shape(), index), actual.getLong(index), expected.getLong(index));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> difference(String what, Object actual, Object expected) {
        return Optional.of(what + ": got " + actual + ", expected " + expected);
    }

    /** Returns the name of an element, such as {@code element [1, 0]}. */
    private static String element(Shape shape, long index) {
        long[] position = new long[shape.rank()];
        long rest = index;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            position[dim] = rest % shape.size(dim);
            rest /= shape.size(dim);
        }
        return "element " + Arrays.toString(position);
    }
}
