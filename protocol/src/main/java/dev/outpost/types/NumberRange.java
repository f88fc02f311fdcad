package dev.outpost.types;

/**
 * The finite numbers that a dtype holds.
 *
 * @param lowest the smallest of these numbers
 * @param largest the largest of these numbers
 */
public record NumberRange(double lowest, double largest) {

    public static NumberRange of(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> symmetric(Double.MAX_VALUE);
            case FLOAT32 -> symmetric(Float.MAX_VALUE);
            case FLOAT16 -> symmetric(65504);
            case BFLOAT16 -> symmetric(0x1.fep127);
            case INT64 -> new NumberRange(Long.MIN_VALUE, Long.MAX_VALUE);
            case INT32 -> new NumberRange(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case INT16 -> new NumberRange(Short.MIN_VALUE, Short.MAX_VALUE);
            case INT8 -> new NumberRange(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UINT8 -> new NumberRange(0, 255);
            case BOOL -> new NumberRange(0, 1);
        };
    }

    private static NumberRange symmetric(double largest) {
        return new NumberRange(-largest, largest);
    }

    boolean contains(double number) {
        return lowest <= number && number <= largest;
    }
}
