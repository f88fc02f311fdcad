package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/** Elementwise ops with one operand. The wire codes are 1 to 79. */
public enum Unary implements Op {
    /** The same elements in new contiguous memory. */
    COPY(1, "copy", Domain.ANY),
    NEG(2, "neg", Domain.NUMBER),
    ABS(3, "abs", Domain.NUMBER),
    /** -1, 0 or 1, and 0 for NaN. */
    SIGN(4, "sign", Domain.NUMBER),
    CEIL(5, "ceil", Domain.NUMBER),
    FLOOR(6, "floor", Domain.NUMBER),
    TRUNC(7, "trunc", Domain.NUMBER),
    /** Rounds to the nearest integer, halves to even. */
    ROUND(8, "round", Domain.NUMBER),
    /** max(x, 0); NaN stays NaN. */
    RELU(9, "relu", Domain.NUMBER),
    SQRT(10, "sqrt", Domain.FLOATING),
    RSQRT(11, "rsqrt", Domain.FLOATING),
    EXP(12, "exp", Domain.FLOATING),
    EXP2(13, "exp2", Domain.FLOATING),
    EXPM1(14, "expm1", Domain.FLOATING),
    LOG(15, "log", Domain.FLOATING),
    LOG2(16, "log2", Domain.FLOATING),
    LOG10(17, "log10", Domain.FLOATING),
    LOG1P(18, "log1p", Domain.FLOATING),
    SIN(19, "sin", Domain.FLOATING),
    COS(20, "cos", Domain.FLOATING),
    TAN(21, "tan", Domain.FLOATING),
    ASIN(22, "asin", Domain.FLOATING),
    ACOS(23, "acos", Domain.FLOATING),
    ATAN(24, "atan", Domain.FLOATING),
    SINH(25, "sinh", Domain.FLOATING),
    COSH(26, "cosh", Domain.FLOATING),
    TANH(27, "tanh", Domain.FLOATING),
    ASINH(28, "asinh", Domain.FLOATING),
    ACOSH(29, "acosh", Domain.FLOATING),
    ATANH(30, "atanh", Domain.FLOATING),
    SIGMOID(31, "sigmoid", Domain.FLOATING),
    ERF(32, "erf", Domain.FLOATING),
    ERFC(33, "erfc", Domain.FLOATING),
    ERFINV(34, "erfinv", Domain.FLOATING),
    LGAMMA(35, "lgamma", Domain.FLOATING),
    DIGAMMA(36, "digamma", Domain.FLOATING),
    /** True if an element is NaN. The result is bool. */
    IS_NAN(37, "isnan", Domain.PREDICATE),
    /** Bitwise not for integers, logical not for bool. */
    NOT(38, "bitwise_not", Domain.BITS),
    /** exp(x²) · erfc(x). */
    ERFCX(39, "erfcx", Domain.FLOATING),
    /** Modified Bessel functions of the first kind. The results of functions ending in E are multiplied by exp(-|x|). */
    I0(40, "i0", Domain.FLOATING),
    I0E(41, "i0e", Domain.FLOATING),
    I1(42, "i1", Domain.FLOATING),
    I1E(43, "i1e", Domain.FLOATING),
    /** The quantile function of the standard normal distribution. */
    NDTRI(44, "ndtri", Domain.FLOATING),
    /** Bessel functions of the first and of the second kind. */
    BESSEL_J0(45, "bessel_j0", Domain.FLOATING),
    BESSEL_J1(46, "bessel_j1", Domain.FLOATING),
    BESSEL_Y0(47, "bessel_y0", Domain.FLOATING),
    BESSEL_Y1(48, "bessel_y1", Domain.FLOATING),
    /** Modified Bessel functions of the second kind. The scaled ones are multiplied by exp(x). */
    BESSEL_K0(49, "modified_bessel_k0", Domain.FLOATING),
    BESSEL_K1(50, "modified_bessel_k1", Domain.FLOATING),
    SCALED_K0(51, "scaled_modified_bessel_k0", Domain.FLOATING),
    SCALED_K1(52, "scaled_modified_bessel_k1", Domain.FLOATING),
    AIRY_AI(53, "airy_ai", Domain.FLOATING),
    /** The derivative of {@link #AIRY_AI}. */
    AIRY_AI_SLOPE(54, "airy_ai_slope", Domain.FLOATING);

    /** The dtypes that an op accepts, and the dtype of its result. */
    private enum Domain {
        ANY,
        NUMBER,
        FLOATING,
        PREDICATE,
        BITS
    }

    private final OpSignature signature;
    private final Domain domain;

    Unary(int code, String label, Domain domain) {
        signature = new OpSignature(code, label, 1);
        this.domain = domain;
    }

    @Override
    public OpSignature signature() {
        return signature;
    }

    /** Returns true if the op accepts floating dtypes only. */
    public boolean isFloatingOnly() {
        return domain == Domain.FLOATING;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        TensorType operand = operands[0];
        boolean accepted = switch (domain) {
            case ANY, PREDICATE -> true;
            case NUMBER -> operand.dtype() != DType.BOOL;
            case FLOATING -> operand.dtype().isFloating();
            case BITS -> !operand.dtype().isFloating();
        };
        if (!accepted) {
            throw new OpException(label(), "not defined for " + operand.dtype() + ", got " + operand);
        }
        return Op.oneLike(operand, domain == Domain.PREDICATE ? DType.BOOL : operand.dtype(), operand.shape());
    }
}
