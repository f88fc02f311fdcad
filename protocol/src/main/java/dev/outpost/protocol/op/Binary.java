package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Elementwise ops with two operands of one dtype, which are broadcast to a common shape. The wire codes are 80 to
 * 127.
 */
public enum Binary implements Op {
    /** The sum; logical or for bool. */
    ADD(80, "add", Domain.ANY),
    SUB(81, "sub", Domain.NUMBER),
    /** The product; logical and for bool. */
    MUL(82, "mul", Domain.ANY),
    /** True division. */
    DIV(83, "div", Domain.FLOATING),
    /** The quotient rounded toward zero. An integer divided by zero is a fault. */
    TRUNC_DIV(84, "trunc_divide", Domain.NUMBER),
    /** The quotient rounded down, as Python's {@code //}. An integer divided by zero is a fault. */
    FLOOR_DIV(85, "floor_divide", Domain.NUMBER),
    /** The remainder of {@link #FLOOR_DIV}, with the sign of the divisor. An integer divided by zero is a fault. */
    REMAINDER(86, "remainder", Domain.NUMBER),
    /** The remainder of {@link #TRUNC_DIV}, with the sign of the dividend. An integer divided by zero is a fault. */
    FMOD(87, "fmod", Domain.NUMBER),
    /** Operand 0 to the power of operand 1. Integers wrap. A negative integer exponent gives 0 unless the base is 1 or -1. */
    POW(88, "pow", Domain.NUMBER),
    ATAN2(89, "atan2", Domain.FLOATING),
    /** The larger operand; NaN if either is NaN. */
    MAXIMUM(90, "maximum", Domain.ANY),
    /** The smaller operand; NaN if either is NaN. */
    MINIMUM(91, "minimum", Domain.ANY),
    COPYSIGN(92, "copysign", Domain.FLOATING),
    NEXTAFTER(93, "nextafter", Domain.FLOATING),
    HYPOT(94, "hypot", Domain.FLOATING),
    /** The derivative of digamma at operand 1. Operand 0 is its order, a whole number. */
    POLYGAMMA(95, "polygamma", Domain.FLOATING),
    EQ(96, "eq", Domain.COMPARISON),
    NE(97, "ne", Domain.COMPARISON),
    LT(98, "lt", Domain.COMPARISON),
    LE(99, "le", Domain.COMPARISON),
    GT(100, "gt", Domain.COMPARISON),
    GE(101, "ge", Domain.COMPARISON),
    AND(104, "bitwise_and", Domain.BITS),
    OR(105, "bitwise_or", Domain.BITS),
    XOR(106, "bitwise_xor", Domain.BITS),
    /** The left operand shifted to the left; 0 if the count is negative or at least the width in bits. */
    SHIFT_LEFT(107, "bitwise_left_shift", Domain.INTEGERS),
    /**
     * The arithmetic shift to the right; 0 or -1, by the sign, if the count is negative or at least the width in
     * bits.
     */
    SHIFT_RIGHT(108, "bitwise_right_shift", Domain.INTEGERS),
    /** The Hurwitz zeta function: the sum over k from 0 of (operand 1 + k) to the power of -operand 0. */
    ZETA(109, "zeta", Domain.FLOATING),
    /** The regularized lower incomplete gamma function of operand 0 up to operand 1. */
    IGAMMA(110, "igamma", Domain.FLOATING),
    /** 1 minus {@link #IGAMMA}. */
    IGAMMAC(111, "igammac", Domain.FLOATING),
    /**
     * Chebyshev's polynomial of the first kind at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the
     * result is 0.
     */
    CHEBYSHEV_T(112, "chebyshev_polynomial_t", Domain.FLOATING),
    /**
     * Chebyshev's polynomial of the second kind at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the
     * result is 0.
     */
    CHEBYSHEV_U(113, "chebyshev_polynomial_u", Domain.FLOATING),
    /**
     * Chebyshev's polynomial of the third kind at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the
     * result is 0.
     */
    CHEBYSHEV_V(114, "chebyshev_polynomial_v", Domain.FLOATING),
    /**
     * Chebyshev's polynomial of the fourth kind at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the
     * result is 0.
     */
    CHEBYSHEV_W(115, "chebyshev_polynomial_w", Domain.FLOATING),
    /**
     * The physicists' Hermite polynomial at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the result
     * is 0.
     */
    HERMITE_H(116, "hermite_polynomial_h", Domain.FLOATING),
    /**
     * The statisticians' Hermite polynomial at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the
     * result is 0.
     */
    HERMITE_HE(117, "hermite_polynomial_he", Domain.FLOATING),
    /** Laguerre's polynomial at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the result is 0. */
    LAGUERRE_L(118, "laguerre_polynomial_l", Domain.FLOATING),
    /** Legendre's polynomial at operand 0. Operand 1 is the degree, truncated to a whole number. If it is negative, the result is 0. */
    LEGENDRE_P(119, "legendre_polynomial_p", Domain.FLOATING),
    /**
     * The greatest common divisor. It is not negative, except when it is the magnitude of the smallest integer, which overflows. Gcd of 0
     * and 0 is 0.
     */
    GCD(120, "gcd", Domain.INTEGERS);

    private enum Domain {
        ANY,
        NUMBER,
        FLOATING,
        COMPARISON,
        BITS,
        INTEGERS
    }

    private final OpSignature signature;
    private final Domain domain;

    Binary(int code, String label, Domain domain) {
        signature = new OpSignature(code, label, 2);
        this.domain = domain;
    }

    @Override
    public OpSignature signature() {
        return signature;
    }

    /** Returns true if the result is bool for operands of any dtype. */
    public boolean isComparison() {
        return domain == Domain.COMPARISON;
    }

    /** Returns true if the op accepts floating dtypes only. */
    public boolean isFloatingOnly() {
        return domain == Domain.FLOATING;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        DType dtype = operands[0].dtype();
        if (!accepts(dtype)) {
            throw new OpException(label(), "not defined for " + dtype + ", got " + operands[0] + " and " + operands[1]);
        }
        Shape shape = Shape.broadcast(label(), operands[0].shape(), operands[1].shape());
        return Op.oneLike(operands[0], isComparison() ? DType.BOOL : dtype, shape);
    }

    private boolean accepts(DType dtype) {
        return switch (domain) {
            case ANY, COMPARISON -> true;
            case NUMBER -> dtype != DType.BOOL;
            case FLOATING -> dtype.isFloating();
            case BITS -> !dtype.isFloating();
            case INTEGERS -> dtype.isIntegral();
        };
    }
}
