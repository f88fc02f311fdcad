package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.ParityComparison;
import dev.outpost.torch.ParityTolerance;
import dev.outpost.types.DType;
import java.util.stream.LongStream;

/** Distinguishes a rounding from a wrong value, by the result in float64 and by the distance by which roundings move PyTorch's answer. */
final class Rounding {
    static final String AS_EXACT = "rounding: not farther from the value in float64 than a few of PyTorch's own errors";
    static final String WITHIN_SPREAD = "rounding: not farther than PyTorch's answer moves when tensors move by a unit";

    static final String UNSTEADY =
            "rounding: not farther from the value in float64 than PyTorch's answer moves when tensors move by a unit";

    /** The factor for sums: two orders of the same sum have similar, but not equal errors. */
    private static final double FACTOR = 4;

    /** The largest rounding in units; larger differences are wrong, however far the answer moves. */
    private static final double MAX_UNITS = 16;

    /** The largest movement that counts as rounding, as a fraction of the largest element, or of 1 if that is smaller. */
    private static final double MAX_OF_ITSELF = 0.01;

    static final String OF_OPERANDS =
            "rounding: the value that PyTorch computes in float64 of the same operands, rounded to the dtype";

    private Rounding() {}

    /**
     * Returns true if a value is right regardless of earlier statements and of PyTorch's answer, for example if a product of halves
     * overflows on its way.
     *
     * @param exact the result of the statement alone in float64, from the same operands
     */
    static boolean isRounded(HostTensor ours, HostTensor exact) {
        return ours.dtype().isFloating()
                && exact.dtype() == DType.FLOAT64
                && ParityComparison.firstDifference(ours, exact.to(ours.dtype()))
                        .isEmpty();
    }

    static boolean isAsExact(HostTensor ours, HostTensor theirs, HostTensor exact) {
        boolean isComparable = exact.dtype() == DType.FLOAT64
                && ours.dtype().isFloating()
                && exact.shape().equals(ours.shape());
        return isComparable && largestExcess(ours, theirs, exact) <= FACTOR * largestError(theirs, exact);
    }

    /** @param spread the distance by which the elements move */
    static boolean isWithinSpread(HostTensor ours, HostTensor theirs, HostTensor spread) {
        if (!ours.dtype().isFloating() || !spread.shape().equals(ours.shape())) {
            return false;
        }
        double largest = Math.max(largest(theirs), 1);
        double allowed = Math.min(
                FACTOR * largest(spread),
                MAX_UNITS * ParityTolerance.of(ours.dtype()).relative() * largest);
        for (long index = 0; index < ours.shape().elements(); index++) {
            if (error(ours, theirs, index) > allowed) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if large terms cancel, as in the gradient of a normalization of two elements.
     *
     * @param spread the distance by which the elements move
     */
    static boolean isUnsteady(HostTensor ours, HostTensor exact, HostTensor spread) {
        boolean isComparable = ours.dtype().isFloating()
                && exact.dtype() == DType.FLOAT64
                && exact.shape().equals(ours.shape())
                && spread.shape().equals(ours.shape());
        double allowed = Math.min(FACTOR * largest(spread), MAX_OF_ITSELF * Math.max(largest(exact), 1));
        return isComparable
                && LongStream.range(0, ours.shape().elements()).allMatch(index -> error(ours, exact, index) <= allowed);
    }

    private static double largest(HostTensor value) {
        double largest = 0;
        for (long index = 0; index < value.shape().elements(); index++) {
            double magnitude = Math.abs(value.getDouble(index));
            largest = Double.isFinite(magnitude) ? Math.max(largest, magnitude) : largest;
        }
        return largest;
    }

    /** Returns the largest finite error; overflows say nothing about the other elements. */
    private static double largestError(HostTensor value, HostTensor exact) {
        double largest = 0;
        for (long index = 0; index < exact.shape().elements(); index++) {
            double error = error(value, exact, index);
            largest = Double.isFinite(error) ? Math.max(largest, error) : largest;
        }
        return largest;
    }

    /** Returns how far different answers are outside of the tolerance around the exact value. */
    private static double largestExcess(HostTensor ours, HostTensor theirs, HostTensor exact) {
        ParityTolerance tolerance = ParityTolerance.of(ours.dtype());
        double largest = 0;
        for (long index = 0; index < exact.shape().elements(); index++) {
            double got = ours.getDouble(index);
            boolean isMeant =
                    tolerance.accepts(got, theirs.getDouble(index)) || tolerance.accepts(got, exact.getDouble(index));
            largest = isMeant ? largest : Math.max(largest, error(ours, exact, index));
        }
        return largest;
    }

    /** Returns the distance of two values; zero for equal ones, including NaN and infinities. */
    private static double error(HostTensor value, HostTensor exact, long index) {
        double got = value.getDouble(index);
        double wanted = exact.getDouble(index);
        boolean isSame = got == wanted || Double.isNaN(got) && Double.isNaN(wanted);
        double error = isSame ? 0 : Math.abs(got - wanted);
        return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
    }
}
