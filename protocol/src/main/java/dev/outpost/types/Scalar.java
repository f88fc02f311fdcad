package dev.outpost.types;

/**
 * One number of a given dtype: an immediate operand, a fill value.
 *
 * @param dtype its dtype
 * @param bits the raw bits of a double for floating dtypes, the value itself otherwise (0 or 1 for bool)
 */
public record Scalar(DType dtype, long bits) {

    public static Scalar of(DType dtype, double value) {
        if (dtype == DType.BOOL) {
            return of(value != 0);
        }
        return dtype.isFloating()
                ? new Scalar(dtype, Double.doubleToRawLongBits(value))
                : new Scalar(dtype, wrap(dtype, (long) value));
    }

    public static Scalar of(DType dtype, long value) {
        return dtype.isFloating()
                ? new Scalar(dtype, Double.doubleToRawLongBits((double) value))
                : new Scalar(dtype, wrap(dtype, value));
    }

    public static Scalar of(boolean value) {
        return new Scalar(DType.BOOL, value ? 1 : 0);
    }

    public double asDouble() {
        return dtype.isFloating() ? Double.longBitsToDouble(bits) : bits;
    }

    public long asLong() {
        return dtype.isFloating() ? (long) Double.longBitsToDouble(bits) : bits;
    }

    /** Returns the same number in another dtype, wrapping as a cast does. */
    public Scalar to(DType target) {
        if (target == dtype) {
            return this;
        }
        return dtype.isFloating() ? of(target, asDouble()) : of(target, bits);
    }

    /**
     * Returns true if another dtype can hold this number apart from its fraction, by PyTorch's rule for numbers that become elements. A
     * negative integer wraps in an unsigned dtype if its magnitude fits. Every number fits bool.
     */
    public boolean fits(DType target) {
        if (target == DType.BOOL) {
            return true;
        }
        double number = asDouble();
        if (target.isFloating() && !Double.isFinite(number)) {
            return true;
        }
        boolean wraps = target == DType.UINT8 && !dtype.isFloating();
        return NumberRange.of(target).contains(wraps ? Math.abs(number) : number);
    }

    private static long wrap(DType dtype, long value) {
        return switch (dtype) {
            case INT32 -> (int) value;
            case INT16 -> (short) value;
            case INT8 -> (byte) value;
            case UINT8 -> value & 0xff;
            case BOOL -> value == 0 ? 0 : 1;
            case INT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> value;
        };
    }

    @Override
    public String toString() {
        return dtype.isFloating() ? Double.toString(asDouble()) : Long.toString(bits);
    }
}
