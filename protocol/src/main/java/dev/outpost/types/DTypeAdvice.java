package dev.outpost.types;

/** The sentence in errors about dtypes that do not fit: both of them, and the cast that helps. */
public final class DTypeAdvice {
    /** Where only floats will do. */
    public static final String CAST_FIRST = "; cast it first, as with " + cast(DType.FLOAT32);

    private DTypeAdvice() {}

    /** Two operands are to have one dtype. */
    public static String differ(DType first, DType second) {
        DType common = Promotion.promote(first, second);
        String which = common == first ? "the " + second + " one" : common == second ? "the " + first + " one" : "both";
        return "dtypes differ, got " + first + " and " + second + "; cast " + which + " with " + cast(common);
    }

    /** An operand, such as {@code the index}, is to have a certain dtype. */
    public static String expected(String operand, DType expected, DType actual) {
        return operand + " must be " + expected + ", got " + actual + "; cast with " + cast(expected);
    }

    /** The call that users write. */
    public static String cast(DType dtype) {
        return "to(DType." + dtype.name() + ")";
    }
}
