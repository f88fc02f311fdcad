package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorDevice;
import dev.outpost.ops.MachineOps;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Evenly spaced numbers with PyTorch's rounding. */
public final class Ranges {
    private Ranges() {}

    public static Tensor arange(TensorDevice device, Number start, Number end, Number step, DType dtype) {
        boolean whole = isWhole(start) && isWhole(end) && isWhole(step);
        if (step.doubleValue() == 0) {
            throw new OpException("arange", "the step must not be zero, got " + step);
        }
        requireFinite(start, end);
        if ((end.doubleValue() - start.doubleValue()) * Math.signum(step.doubleValue()) < 0) {
            throw new OpException(
                    "arange", "the step leads away from the end, got " + start + " to " + end + " by " + step);
        }
        boolean integers = whole || dtype.isIntegral();
        // PyTorch counts in whole numbers only for int64, and treats narrower integers like floats.
        boolean countsWhole = whole || dtype == DType.INT64;
        long wholeLength = integers ? wholeLength(start, end, step) : 0;
        long length = countsWhole ? wholeLength : length(start, end, step);
        DType wide = integers ? DType.INT64 : DType.FLOAT64;
        return Creation.arange(device, dtype, length, scalar(wide, start), scalar(wide, step));
    }

    private static long wholeLength(Number start, Number end, Number step) {
        long distance = end.longValue() - start.longValue();
        long stride = step.longValue();
        if (stride == 0) {
            throw new OpException("arange", "the step must not be zero for an integer dtype, got " + step);
        }
        return Math.ceilDiv(distance, stride);
    }

    private static long length(Number start, Number end, Number step) {
        return (long) Math.ceil((end.doubleValue() - start.doubleValue()) / step.doubleValue());
    }

    private static void requireFinite(Number start, Number end) {
        if (!Double.isFinite(start.doubleValue()) || !Double.isFinite(end.doubleValue())) {
            throw new OpException("arange", "the range must be finite, got " + start + " to " + end);
        }
    }

    /** For integer dtypes, start and end are truncated to whole numbers, as in PyTorch. */
    public static Tensor linspace(TensorDevice device, double start, double end, long steps, DType dtype) {
        MachineOps.requireCount("linspace", steps);
        return dtype.isFloating()
                ? spaced(device, start, end, steps, dtype)
                : spaced(device, (long) start, (long) end, steps, dtype);
    }

    /** Counts from the nearer end, as PyTorch does, so that both ends are exact. */
    private static Tensor spaced(TensorDevice device, double start, double end, long steps, DType dtype) {
        if (steps <= 1) {
            return Creation.full(device, Shape.of(steps), dtype, start);
        }
        double step = (end - start) / (steps - 1);
        Tensor index = Creation.indices(device, steps).to(DType.FLOAT64);
        Tensor forward = index.mul(step).add(start);
        Tensor backward = index.sub(steps - 1).mul(step).add(end);
        return Dispatch.where(index.lt(steps / 2), forward, backward).to(dtype);
    }

    public static Tensor logspace(TensorDevice device, double start, double end, long steps, double base, DType dtype) {
        MachineOps.requireCount("logspace", steps);
        Tensor exponents = linspace(device, start, end, steps, DType.FLOAT64);
        Tensor bases = Creation.full(device, Shape.SCALAR, DType.FLOAT64, base);
        return bases.pow(exponents).to(dtype);
    }

    private static Scalar scalar(DType dtype, Number value) {
        return dtype == DType.INT64 ? Scalar.of(dtype, value.longValue()) : Scalar.of(dtype, value.doubleValue());
    }

    private static boolean isWhole(Number number) {
        return Operand.of(number).scalar().dtype() == DType.INT64;
    }
}
