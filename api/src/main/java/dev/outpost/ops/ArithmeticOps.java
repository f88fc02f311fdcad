package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.numbers.LiveNumber;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.ops.Divisors;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Promotion;

/**
 * Elementwise arithmetic on two operands, which broadcast. Dtypes are promoted like in torch.result_type: a number or
 * a zero-dimensional tensor changes the dtype only if it is of a higher kind (bool, integer, float). A whole Java
 * number counts as int64, any other as float32.
 */
public interface ArithmeticOps {
    Tensor self();

    /**
     * Returns self + other; for two bool tensors, their logical or. The shapes broadcast, and the dtypes are promoted.
     *
     * {@snippet file="OpExamplesTest.java" region="add"}
     *
     * @throws OpException if the shapes do not broadcast, or the tensors are on different machines
     */
    default Tensor add(Tensor other) {
        return Dispatch.binary(Binary.ADD, self(), other);
    }

    /** Same as {@link #add(Tensor)}. */
    default Tensor add(Number other) {
        return Dispatch.binary(Binary.ADD, self(), Operand.of(other));
    }

    /** Returns self + alpha · other; alpha is whole unless the result is floating. */
    default Tensor add(Tensor other, Number alpha) {
        return Scope.tidy(() -> add(scaled("add", other, alpha)));
    }

    /**
     * Returns self - other. The shapes broadcast, and the dtypes are promoted.
     *
     * {@snippet file="OpExamplesTest.java" region="sub"}
     *
     * @throws OpException if the shapes do not broadcast, or an operand is bool
     */
    default Tensor sub(Tensor other) {
        return difference("sub", self(), other);
    }

    /** Same as {@link #sub(Tensor)}. */
    default Tensor sub(Number other) {
        return difference("sub", self(), Operand.of(other));
    }

    /** Returns self - alpha · other; alpha is whole unless the result is floating. */
    default Tensor sub(Tensor other, Number alpha) {
        requireNoBool("sub", self(), other);
        return Scope.tidy(() -> sub(scaled("sub", other, alpha)));
    }

    /** Returns other - self. */
    default Tensor rsub(Number other) {
        return difference("rsub", Operand.of(other), self());
    }

    /**
     * Returns self · other; for two bool tensors, their logical and. The shapes broadcast, and the dtypes are promoted.
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor mul(Tensor other) {
        return Dispatch.binary(Binary.MUL, self(), other);
    }

    /**
     * Same as {@link #mul(Tensor)}.
     *
     * {@snippet file="OpExamplesTest.java" region="mul"}
     */
    default Tensor mul(Number other) {
        return Dispatch.binary(Binary.MUL, self(), Operand.of(other));
    }

    /**
     * Returns self / other, with fractions: two integers give float32. Division by zero gives an infinity or NaN. The shapes
     * broadcast.
     *
     * {@snippet file="OpExamplesTest.java" region="div"}
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor div(Tensor other) {
        return Dispatch.binary(Binary.DIV, self(), other);
    }

    /** Same as {@link #div(Tensor)}. */
    default Tensor div(Number other) {
        return Dispatch.binary(Binary.DIV, self(), Operand.of(other));
    }

    /**
     * Returns the quotient rounded to a whole number; integers stay integers, and dividing one by zero is a fault.
     */
    default Tensor div(Tensor other, DivMode mode) {
        return Dispatch.binary(rounding(mode), self(), other);
    }

    /** Same as {@link #div(Tensor, DivMode)}. */
    default Tensor div(Number other, DivMode mode) {
        return Dispatch.binary(rounding(mode), self(), Operand.of(other));
    }

    /** Returns other / self. */
    default Tensor rdiv(Number other) {
        return Dispatch.binary(Binary.DIV, Operand.of(other), self());
    }

    /** Returns the quotient rounded down; integers stay integers, and dividing one by zero is a fault. */
    default Tensor floorDivide(Tensor other) {
        return Dispatch.binary(Binary.FLOOR_DIV, self(), other);
    }

    /** Same as {@link #floorDivide(Tensor)}. */
    default Tensor floorDivide(Number other) {
        return Dispatch.binary(Binary.FLOOR_DIV, self(), Operand.of(other));
    }

    /**
     * Returns the remainder of {@link #floorDivide}, with the sign of the divisor, like Python's {@code %}. The
     * shapes broadcast.
     *
     * {@snippet file="OpExamplesTest.java" region="remainder"}
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor remainder(Tensor other) {
        return Dispatch.binary(Binary.REMAINDER, self(), other);
    }

    /** Same as {@link #remainder(Tensor)}. */
    default Tensor remainder(Number other) {
        return Dispatch.binary(Binary.REMAINDER, self(), Operand.of(other));
    }

    /**
     * Returns the remainder of division rounded toward zero, with the sign of the dividend, like Java's {@code %}.
     */
    default Tensor fmod(Tensor other) {
        return Dispatch.binary(Binary.FMOD, self(), other);
    }

    /** Same as {@link #fmod(Tensor)}. */
    default Tensor fmod(Number other) {
        return Dispatch.binary(Binary.FMOD, self(), Operand.of(other));
    }

    /** Returns self to the power of exponent. Integers wrap. */
    default Tensor pow(Tensor exponent) {
        return Dispatch.binary(Binary.POW, self(), exponent);
    }

    /**
     * Same as {@link #pow(Tensor)}, for a number.
     *
     * {@snippet file="OpExamplesTest.java" region="pow"}
     *
     * @throws OpException if self is of integers and the exponent is a negative whole number
     */
    default Tensor pow(Number exponent) {
        Operand.Immediate power = Operand.of(exponent);
        boolean wholePower = power.type().dtype().isIntegral();
        if (wholePower && self().dtype().isIntegral()) {
            Operand.requireFits("pow", power.scalar(), self().dtype());
        }
        if (wholePower && exponent.longValue() < 0 && !self().dtype().isFloating()) {
            throw new OpException(
                    "pow",
                    "integers to negative whole powers are not defined, got " + self().type() + " and " + exponent);
        }
        // PyTorch uses the square root, whose results at -0 and -∞ differ from a power.
        if (self().dtype().isFloating() && exponent.doubleValue() == 0.5) {
            return self().sqrt();
        }
        if (self().dtype().isFloating() && exponent.doubleValue() == -0.5) {
            return self().rsqrt();
        }
        boolean keepsDType = self().dtype().isFloating() || wholePower && self().dtype() != DType.BOOL;
        return keepsDType && exponent.doubleValue() == 2 ? mul(self()) : Dispatch.binary(Binary.POW, self(), power);
    }

    /** Returns base to the power of self. */
    default Tensor rpow(Number base) {
        return Dispatch.binary(Binary.POW, Operand.of(base), self());
    }

    /** Like {@link #pow(Tensor)}, but computed in float64. */
    default Tensor floatPower(Tensor exponent) {
        return Scope.tidy(() -> self().to(DType.FLOAT64).pow(exponent.to(DType.FLOAT64)));
    }

    /** Same as {@link #floatPower(Tensor)}. */
    default Tensor floatPower(Number exponent) {
        return Scope.tidy(() -> self().to(DType.FLOAT64).pow(exponent.doubleValue()));
    }

    /** Returns the angle of the point (other, self), in (-π, π]. */
    default Tensor atan2(Tensor other) {
        return Dispatch.binary(Binary.ATAN2, self(), other);
    }

    /** Returns √(self² + other²) without intermediate overflow. */
    default Tensor hypot(Tensor other) {
        return Dispatch.binary(Binary.HYPOT, self(), other);
    }

    /** Returns |self| with the sign of other. */
    default Tensor copysign(Tensor other) {
        return Dispatch.binary(Binary.COPYSIGN, self(), other);
    }

    /** Same as {@link #copysign(Tensor)}. */
    default Tensor copysign(Number other) {
        return Dispatch.binary(Binary.COPYSIGN, self(), Operand.of(other));
    }

    /** Returns the next representable number from self toward other. */
    default Tensor nextafter(Tensor other) {
        return Dispatch.binary(Binary.NEXTAFTER, self(), other);
    }

    /** Returns self · 2 to the power of other; an integer power takes self's dtype. */
    default Tensor ldexp(Tensor other) {
        return Scope.tidy(() -> {
            DType dtype = other.dtype().isFloating() ? other.dtype() : Numerics.resultDType(self());
            return mul(other.to(dtype).exp2());
        });
    }

    /**
     * Returns the larger element of both; NaN if either is NaN. The shapes broadcast, and the dtypes are promoted.
     *
     * {@snippet file="OpExamplesTest.java" region="maximum"}
     *
     * @throws OpException if the shapes do not broadcast
     */
    default Tensor maximum(Tensor other) {
        return Dispatch.binary(Binary.MAXIMUM, self(), other);
    }

    /** Returns the smaller element; NaN if either is NaN. */
    default Tensor minimum(Tensor other) {
        return Dispatch.binary(Binary.MINIMUM, self(), other);
    }

    /**
     * Returns the greatest common divisor; integers only, one of the two may be bool. Waits for the largest
     * magnitude.
     */
    default Tensor gcd(Tensor other) {
        return Scope.tidy(() -> Divisors.gcd(self(), other));
    }

    /**
     * Returns the least common multiple; integers only, one of the two may be bool. Waits for the largest magnitude.
     */
    default Tensor lcm(Tensor other) {
        return Scope.tidy(() -> Divisors.lcm(self(), other));
    }

    private Tensor scaled(String op, Tensor other, Number alpha) {
        DType dtype = Promotion.resultType(self().dtype(), self().rank(), other.dtype(), other.rank());
        Operand.Immediate factor = Operand.of(alpha);
        if (factor.type().dtype().isFloating() && !dtype.isFloating()) {
            throw new OpException(op, "alpha must be a whole number for " + dtype + ", got " + alpha);
        }
        return alpha.doubleValue() == 1 && !(alpha instanceof LiveNumber)
                ? other
                : Dispatch.binary(Binary.MUL, other.cast(dtype), Operand.fitting(op, alpha, dtype));
    }

    private static Tensor difference(String op, Operand left, Operand right) {
        ArgumentChecks.required(right, "the other operand");
        requireNoBool(op, left, right);
        return Dispatch.binary(Binary.SUB, left, right);
    }

    private static void requireNoBool(String op, Operand left, Operand right) {
        if (left.type().dtype() == DType.BOOL || right.type().dtype() == DType.BOOL) {
            throw new OpException(
                    op,
                    "not defined for bool, use logicalXor or logicalNot, got " + left.type() + " and " + right.type());
        }
    }

    private static Binary rounding(DivMode mode) {
        return switch (ArgumentChecks.required(mode, "the mode")) {
            case TRUNC -> Binary.TRUNC_DIV;
            case FLOOR -> Binary.FLOOR_DIV;
        };
    }
}
