package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;

/**
 * Comparisons, tests and logic, elementwise with broadcasting. Results are bool, except for the bitwise ops and the
 * shifts. Operands are promoted as in arithmetic; no gradient flows.
 */
public interface CompareOps {
    Tensor self();

    // ---- comparisons

    /**
     * Returns true where both elements are equal (bool). NaN equals nothing. The shapes broadcast.
     *
     * {@snippet file="OpExamplesTest.java" region="eq"}
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor eq(Tensor other) {
        return Dispatch.binary(Binary.EQ, self(), other);
    }

    /** Same as {@link #eq(Tensor)}. */
    default Tensor eq(Number other) {
        return Dispatch.binary(Binary.EQ, self(), Operand.of(other));
    }

    /** Returns true where {@link #eq(Tensor)} returns false. */
    default Tensor ne(Tensor other) {
        return Dispatch.binary(Binary.NE, self(), other);
    }

    /** Same as {@link #ne(Tensor)}. */
    default Tensor ne(Number other) {
        return Dispatch.binary(Binary.NE, self(), Operand.of(other));
    }

    /** Returns true where self is less than other (bool); false for NaN. The shapes broadcast. */
    default Tensor lt(Tensor other) {
        return Dispatch.binary(Binary.LT, self(), other);
    }

    /** Same as {@link #lt(Tensor)}. */
    default Tensor lt(Number other) {
        return Dispatch.binary(Binary.LT, self(), Operand.of(other));
    }

    /** Returns true where self is at most other (bool); false for NaN. The shapes broadcast. */
    default Tensor le(Tensor other) {
        return Dispatch.binary(Binary.LE, self(), other);
    }

    /** Same as {@link #le(Tensor)}. */
    default Tensor le(Number other) {
        return Dispatch.binary(Binary.LE, self(), Operand.of(other));
    }

    /**
     * Returns true where self is greater than other (bool); false for NaN. The shapes broadcast.
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor gt(Tensor other) {
        return Dispatch.binary(Binary.GT, self(), other);
    }

    /**
     * Same as {@link #gt(Tensor)}.
     *
     * {@snippet file="OpExamplesTest.java" region="gt"}
     */
    default Tensor gt(Number other) {
        return Dispatch.binary(Binary.GT, self(), Operand.of(other));
    }

    /** Returns true where self is at least other (bool); false for NaN. The shapes broadcast. */
    default Tensor ge(Tensor other) {
        return Dispatch.binary(Binary.GE, self(), other);
    }

    /** Same as {@link #ge(Tensor)}. */
    default Tensor ge(Number other) {
        return Dispatch.binary(Binary.GE, self(), Operand.of(other));
    }

    /** Like {@link #isclose(Tensor, double, double, boolean)}, but with PyTorch's tolerances 1e-5 and 1e-8. */
    default Tensor isclose(Tensor other) {
        return isclose(other, 1e-5, 1e-8, false);
    }

    /**
     * True if {@code |self - other| <= atol + rtol · |other|}, or if both are equal. Dtypes must be equal.
     *
     * @param equalNan true if two NaN count as close
     */
    default Tensor isclose(Tensor other, double rtol, double atol, boolean equalNan) {
        if (self().dtype() != other.dtype()) {
            throw new OpException("isclose", DTypeAdvice.differ(self().dtype(), other.dtype()));
        }
        if (!(rtol >= 0 && atol >= 0)) {
            throw new OpException("isclose", "tolerances must not be negative, got " + rtol + " and " + atol);
        }
        return Scope.tidy(() -> GradMode.noGrad(() -> isCloseTo(other, rtol, atol, equalNan)));
    }

    private Tensor isCloseTo(Tensor other, double rtol, double atol, boolean equalNan) {
        boolean isFloating = self().dtype().isFloating();
        Tensor left = isFloating ? self() : self().to(DType.FLOAT64);
        Tensor right = isFloating ? other : other.to(DType.FLOAT64);
        Tensor error = left.sub(right).abs();
        Tensor allowed = right.mul(rtol).abs().add(atol);
        Tensor isWithin = error.lt(Double.POSITIVE_INFINITY).logicalAnd(error.le(allowed));
        Tensor isClose = left.eq(right).logicalOr(isWithin);
        return equalNan && isFloating ? isClose.logicalOr(left.isnan().logicalAnd(right.isnan())) : isClose;
    }

    /**
     * Returns true if all elements are close, with the tolerances of {@link #isclose(Tensor)}: {@code |self - other| <= 1e-8 + 1e-5
     * · |other|}. The shapes broadcast. Waits.
     *
     * {@snippet file="OpExamplesTest.java" region="allclose"}
     *
     * @throws OpException if the dtypes differ
     */
    default boolean allclose(Tensor other) {
        return allclose(other, 1e-5, 1e-8, false);
    }

    /** Returns true if all elements are close, as defined by {@link #isclose(Tensor, double, double, boolean)}. Waits. */
    default boolean allclose(Tensor other, double rtol, double atol, boolean equalNan) {
        return allThenClose(isclose(other, rtol, atol, equalNan));
    }

    /**
     * Returns true if the shapes and all elements are equal. Waits, unless the shapes differ.
     *
     * {@snippet file="OpExamplesTest.java" region="equal"}
     */
    default boolean equal(Tensor other) {
        return self().shape().equals(other.shape()) && allThenClose(eq(other));
    }

    // ---- tests

    /**
     * Returns true where the element is NaN (bool); false for integers.
     *
     * {@snippet file="OpExamplesTest.java" region="isnan"}
     */
    default Tensor isnan() {
        return Dispatch.unary(Unary.IS_NAN, self());
    }

    /** Returns true where the element is +∞ or -∞ (bool). */
    default Tensor isinf() {
        return Scope.tidy(
                () -> self().dtype().isFloating() ? self().abs().eq(Double.POSITIVE_INFINITY) : everywhere(false));
    }

    /** Returns true where the element is neither NaN nor an infinity (bool). */
    default Tensor isfinite() {
        return Scope.tidy(
                () -> self().dtype().isFloating() ? self().abs().lt(Double.POSITIVE_INFINITY) : everywhere(true));
    }

    /** Returns true where the element is +∞ (bool). */
    default Tensor isposinf() {
        return self().dtype().isFloating() ? eq(Double.POSITIVE_INFINITY) : everywhere(false);
    }

    /** Returns true where the element is -∞ (bool). */
    default Tensor isneginf() {
        return self().dtype().isFloating() ? eq(Double.NEGATIVE_INFINITY) : everywhere(false);
    }

    /** True if the sign bit is set, which includes -0.0. */
    default Tensor signbit() {
        return Scope.tidy(() -> self().dtype().isFloating()
                ? Dispatch.binary(Binary.COPYSIGN, Operand.of(1), self()).lt(0)
                : lt(0));
    }

    /** True everywhere, because a {@link Tensor} is never complex. */
    default Tensor isreal() {
        return everywhere(true);
    }

    // ---- logic: anything but 0 is true

    /** Returns true where both elements are nonzero (bool). The shapes broadcast. */
    default Tensor logicalAnd(Tensor other) {
        return Scope.tidy(() -> Dispatch.binary(Binary.AND, self().to(DType.BOOL), other.to(DType.BOOL)));
    }

    /** Returns true where at least one of the two elements is nonzero (bool). The shapes broadcast. */
    default Tensor logicalOr(Tensor other) {
        return Scope.tidy(() -> Dispatch.binary(Binary.OR, self().to(DType.BOOL), other.to(DType.BOOL)));
    }

    /** Returns true where exactly one of the two elements is nonzero (bool). The shapes broadcast. */
    default Tensor logicalXor(Tensor other) {
        return Scope.tidy(() -> Dispatch.binary(Binary.XOR, self().to(DType.BOOL), other.to(DType.BOOL)));
    }

    /**
     * Returns true where the element is 0 or false (bool).
     *
     * {@snippet file="OpExamplesTest.java" region="logicalNot"}
     */
    default Tensor logicalNot() {
        return self().dtype() == DType.BOOL ? bitwiseNot() : eq(0);
    }

    // ---- bits: integers and bool

    /** Combines integers bit by bit, and bools logically; floating dtypes are refused. The shapes broadcast. */
    default Tensor bitwiseAnd(Tensor other) {
        return Dispatch.binary(Binary.AND, self(), other);
    }

    default Tensor bitwiseAnd(Number other) {
        return Dispatch.binary(Binary.AND, self(), Operand.of(other));
    }

    /** Combines integers bit by bit, and bools logically; floating dtypes are refused. The shapes broadcast. */
    default Tensor bitwiseOr(Tensor other) {
        return Dispatch.binary(Binary.OR, self(), other);
    }

    default Tensor bitwiseOr(Number other) {
        return Dispatch.binary(Binary.OR, self(), Operand.of(other));
    }

    /** Combines integers bit by bit, and bools logically; floating dtypes are refused. The shapes broadcast. */
    default Tensor bitwiseXor(Tensor other) {
        return Dispatch.binary(Binary.XOR, self(), other);
    }

    default Tensor bitwiseXor(Number other) {
        return Dispatch.binary(Binary.XOR, self(), Operand.of(other));
    }

    /** Inverts integers bit by bit, and bools logically. */
    default Tensor bitwiseNot() {
        return Dispatch.unary(Unary.NOT, self());
    }

    /** Shifts the bits to the left. A count that is negative or not below the dtype's width gives 0. */
    default Tensor leftShift(Tensor count) {
        return Dispatch.binary(Binary.SHIFT_LEFT, self(), count);
    }

    default Tensor leftShift(Number count) {
        return Dispatch.binary(Binary.SHIFT_LEFT, self(), Operand.of(count));
    }

    /** Shifts the bits to the right and repeats the sign bit. */
    default Tensor rightShift(Tensor count) {
        return Dispatch.binary(Binary.SHIFT_RIGHT, self(), count);
    }

    default Tensor rightShift(Number count) {
        return Dispatch.binary(Binary.SHIFT_RIGHT, self(), Operand.of(count));
    }

    private Tensor everywhere(boolean value) {
        return Creation.full(States.home(self()), self().shape(), Scalar.of(value));
    }

    private static boolean allThenClose(Tensor tests) {
        try (Tensor all = tests.all()) {
            return all.toBooleanArray()[0];
        } finally {
            tests.close();
        }
    }
}
