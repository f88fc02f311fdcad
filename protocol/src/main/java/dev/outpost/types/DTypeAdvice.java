package dev.outpost.types;

/** The sentences of errors about wrong dtypes. They name both dtypes, and the cast that helps. */
public final class DTypeAdvice {
    /** The advice of an op that accepts floats only. */
    public static final String CAST_FIRST = "; cast it first, as with " + cast(DType.FLOAT32);

    private DTypeAdvice() {}

    /** Returns the sentence for two operands of different dtypes that must have one. */
    public static String differ(DType first, DType second) {
        DType common = Promotion.promote(first, second);
        String which = common == first ? "the " + second + " one" : common == second ? "the " + first + " one" : "both";
        return "dtypes differ, got " + first + " and " + second + "; cast " + which + " with " + cast(common);
    }

    /** Returns the sentence for an operand, such as {@code the index}, that must have another dtype. */
    public static String expected(String operand, DType expected, DType actual) {
        return operand + " must be " + expected + ", got " + actual + "; cast with " + cast(expected);
    }

    /** Returns the cast in the user's code. */
    public static String cast(DType dtype) {
        return "to(DType." + dtype.name() + ")";
    }
}
