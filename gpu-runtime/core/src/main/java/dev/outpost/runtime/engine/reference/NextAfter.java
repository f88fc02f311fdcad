package dev.outpost.runtime.engine.reference;

import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.util.function.DoubleBinaryOperator;

/** Computes the next number of a dtype in the direction of another number. No other op depends on the width of the elements. */
final class NextAfter {
    private NextAfter() {}

    static DoubleBinaryOperator of(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> Math::nextAfter;
            case FLOAT32 -> (x, y) -> Math.nextAfter((float) x, y);
            case FLOAT16 ->
                (x, y) -> Half.fromFloat16(next(x, Half.toFloat16((float) x), y, Half.toFloat16((float) y)));
            case BFLOAT16 ->
                (x, y) -> Half.fromBfloat16(next(x, Half.toBfloat16((float) x), y, Half.toBfloat16((float) y)));
            case INT64, INT32, INT16, INT8, UINT8, BOOL ->
                throw new IllegalStateException("nextafter has no meaning for " + dtype + ", and its rule refuses it");
        };
    }

    /** Uses sign and magnitude, because in both 16-bit formats, the next larger magnitude is the next larger bit pattern. */
    private static short next(double x, short xBits, double y, short yBits) {
        if (Double.isNaN(x)) {
            return xBits;
        }
        if (Double.isNaN(y) || x == y) {
            return yBits;
        }
        if (x == 0) {
            return (short) (y < 0 ? 0x8001 : 1);
        }
        boolean outward = (x < y) == (x > 0);
        return (short) (outward ? xBits + 1 : xBits - 1);
    }
}
