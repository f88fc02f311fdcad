package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.cli.parity.ParityTolerance;
import dev.outpost.protocol.types.DType;

/** Tells a rounding from a wrong value by what the program computes in float64. */
final class Rounding {
    static final String REASON = "rounding: not farther from the value in float64 than a few of PyTorch's own errors";

    /** Two orders of the same sum err alike, not equally. */
    private static final double FACTOR = 4;

    private Rounding() {}

    static boolean explains(HostTensor ours, HostTensor theirs, HostTensor exact) {
        boolean isComparable = exact.dtype() == DType.FLOAT64
                && ours.dtype().isFloating()
                && exact.shape().equals(ours.shape());
        return isComparable && largestExcess(ours, exact) <= FACTOR * largestError(theirs, exact);
    }

    private static double largestError(HostTensor value, HostTensor exact) {
        double largest = 0;
        for (long index = 0; index < exact.shape().elements(); index++) {
            largest = Math.max(largest, error(value, exact, index));
        }
        return Double.isFinite(largest) ? largest : 0;
    }

    /** How far a value is outside of the tolerance around the exact one. */
    private static double largestExcess(HostTensor value, HostTensor exact) {
        double largest = 0;
        for (long index = 0; index < exact.shape().elements(); index++) {
            double allowed = ParityTolerance.of(value.dtype()).allowed(exact.getDouble(index));
            double error = error(value, exact, index);
            largest = Math.max(largest, error <= allowed ? 0 : error);
        }
        return largest;
    }

    /** Zero for equal values, NaN and infinities among them. */
    private static double error(HostTensor value, HostTensor exact, long index) {
        double got = value.getDouble(index);
        double wanted = exact.getDouble(index);
        boolean isSame = got == wanted || Double.isNaN(got) && Double.isNaN(wanted);
        double error = isSame ? 0 : Math.abs(got - wanted);
        return Double.isNaN(error) ? Double.POSITIVE_INFINITY : error;
    }
}
