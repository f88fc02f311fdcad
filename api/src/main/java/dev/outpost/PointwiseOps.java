package dev.outpost;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;

/**
 * Elementwise ops: functions of one tensor ({@link UnaryOps}), arithmetic ({@link ArithmeticOps}), and here choices
 * between elements, compositions of several tensors, and conversions. Operands broadcast.
 */
public sealed interface PointwiseOps extends UnaryOps, ArithmeticOps, SpecialOps, PolynomialOps permits Tensor {
    @Override
    Tensor self();

    // ---- choices

    /** self where the condition (bool) is true, other elsewhere. */
    default Tensor where(Tensor condition, Tensor other) {
        return Dispatch.where(condition, self(), other);
    }

    /** As {@link #where(Tensor, Tensor)}. */
    default Tensor where(Tensor condition, Number other) {
        return Dispatch.where(condition, self(), Operand.of(other));
    }

    /** value where the mask (bool) is true, self elsewhere, in self's dtype. */
    default Tensor maskedFill(Tensor mask, Number value) {
        requireMask(mask);
        return Dispatch.apply(Ternary.WHERE, mask, Operand.of(value).cast(self().dtype()), self());
    }

    /** As {@link #maskedFill(Tensor, Number)}, with a zero-dimensional tensor. */
    default Tensor maskedFill(Tensor mask, Tensor value) {
        requireMask(mask);
        if (value.dim() != 0) {
            throw new OpException("masked_fill", "the value must have no dimensions, got " + value.shape());
        }
        return Dispatch.apply(Ternary.WHERE, mask, value.cast(self().dtype()), self());
    }

    /** Not below min and not above max; either may be null, max wins over min. NaN stays NaN. */
    default Tensor clamp(Number min, Number max) {
        requireBound(min, max);
        return Scope.tidy(() -> {
            Tensor raised = min == null ? self() : self().clampMin(min);
            return max == null ? raised : raised.clampMax(max);
        });
    }

    /** As {@link #clamp(Number, Number)}; NaN in a bound gives NaN. */
    default Tensor clamp(Tensor min, Tensor max) {
        requireBound(min, max);
        return Scope.tidy(() -> {
            Tensor raised = min == null ? self() : self().clampMin(min);
            return max == null ? raised : raised.clampMax(max);
        });
    }

    /** Not below min. */
    default Tensor clampMin(Number min) {
        return Scope.tidy(() -> Dispatch.where(self().lt(min), Operand.of(min), self()));
    }

    /** As {@link #clampMin(Number)}. */
    default Tensor clampMin(Tensor min) {
        return Scope.tidy(() -> choose(Binary.GE, min, self()));
    }

    /** Not above max. */
    default Tensor clampMax(Number max) {
        return Scope.tidy(() -> Dispatch.where(self().gt(max), Operand.of(max), self()));
    }

    /** As {@link #clampMax(Number)}. */
    default Tensor clampMax(Tensor max) {
        return Scope.tidy(() -> choose(Binary.LE, max, self()));
    }

    /** The larger; where one is NaN, the other. */
    default Tensor fmax(Tensor other) {
        return Scope.tidy(() -> choose(Binary.GE, other, other));
    }

    /** The smaller; where one is NaN, the other. */
    default Tensor fmin(Tensor other) {
        return Scope.tidy(() -> choose(Binary.LE, other, other));
    }

    /** 0 where self is negative or NaN, 1 where it is positive, {@code values} where it is 0. */
    default Tensor heaviside(Tensor values) {
        requireSameDType("heaviside", values);
        return Scope.tidy(() -> values.where(self().eq(0), self().gt(0).to(self().dtype())));
    }

    /** 0 for NaN, the dtype's largest and smallest numbers for the infinities. */
    default Tensor nanToNum() {
        return nanToNum(0, null, null);
    }

    /** Replaces NaN, +∞ and -∞; null stands for 0, the dtype's largest and its smallest number. */
    default Tensor nanToNum(Number nan, Number posInf, Number negInf) {
        return Scope.tidy(() -> {
            if (!self().dtype().isFloating()) {
                return self().clone();
            }
            double largest = largest(self().dtype());
            Number ceiling = posInf == null ? largest : posInf;
            Number floor = negInf == null ? -largest : negInf;
            return self().maskedFill(self().isnan(), nan == null ? 0 : nan)
                    .maskedFill(self().eq(Double.POSITIVE_INFINITY), ceiling)
                    .maskedFill(self().eq(Double.NEGATIVE_INFINITY), floor);
        });
    }

    // ---- compositions

    /** self + weight · (end - self), of one dtype. */
    default Tensor lerp(Tensor end, Number weight) {
        requireSameDType("lerp", end);
        return Scope.tidy(() -> {
            double share = weight.doubleValue();
            Tensor way = end.sub(self());
            return Math.abs(share) < 0.5 ? self().add(way.mul(share)) : end.sub(way.mul(1 - share));
        });
    }

    /** As {@link #lerp(Tensor, Number)}. */
    default Tensor lerp(Tensor end, Tensor weight) {
        requireSameDType("lerp", end);
        requireSameDType("lerp", weight);
        return Scope.tidy(() -> {
            Tensor way = end.sub(self());
            Tensor fromStart = self().add(way.mul(weight));
            return fromStart.where(weight.abs().lt(0.5), end.sub(way.mul(weight.rsub(1))));
        });
    }

    /** self + value · first · second. */
    default Tensor addcmul(Tensor first, Tensor second, Number value) {
        return Scope.tidy(() -> {
            Tensor product = first.mul(second);
            return self().add(product, value);
        });
    }

    /** self + first · second. */
    default Tensor addcmul(Tensor first, Tensor second) {
        return addcmul(first, second, 1);
    }

    /** self + value · first / second. Two integer tensors are refused. */
    default Tensor addcdiv(Tensor first, Tensor second, Number value) {
        if (!first.dtype().isFloating() && !second.dtype().isFloating()) {
            throw new OpException(
                    "addcdiv", "one of the two must be floating, got " + first.type() + " and " + second.type());
        }
        return Scope.tidy(() -> self().add(first.div(second), value));
    }

    /** self + first / second. */
    default Tensor addcdiv(Tensor first, Tensor second) {
        return addcdiv(first, second, 1);
    }

    /** log(exp(self) + exp(other)) without overflow. */
    default Tensor logaddexp(Tensor other) {
        return Scope.tidy(
                () -> self().maximum(other).add(distance(other).neg().exp().log1p()));
    }

    /** log2(2^self + 2^other) without overflow. */
    default Tensor logaddexp2(Tensor other) {
        return Scope.tidy(() -> {
            Tensor rest = distance(other).neg().exp2().log1p().div(Math.log(2));
            return self().maximum(other).add(rest);
        });
    }

    /** self · log(other); 0 where self is 0 and other is not NaN. */
    default Tensor xlogy(Tensor other) {
        return Scope.tidy(() -> {
            Tensor isZero = self().eq(0).logicalAnd(other.eq(other));
            return self().mul(other.maskedFill(isZero, 1).log());
        });
    }

    /** As {@link #xlogy(Tensor)}. */
    default Tensor xlogy(Number other) {
        return Scope.tidy(() -> {
            DType dtype = Numerics.resultDType(self());
            return xlogy(Creation.full(self().session(), Shape.SCALAR, dtype, other.doubleValue()));
        });
    }

    // ---- conversions

    /**
     * The same numbers in another dtype; the tensor itself if it has that one. Floating to integer truncates toward
     * zero; anything but 0 is true.
     */
    default Tensor to(DType dtype) {
        return self().dtype() == dtype ? self() : Dispatch.apply(new Cast(dtype), self());
    }

    /** {@code to(DType.FLOAT64)}. */
    default Tensor float64() {
        return to(DType.FLOAT64);
    }

    /** {@code to(DType.FLOAT32)}. */
    default Tensor float32() {
        return to(DType.FLOAT32);
    }

    /** {@code to(DType.FLOAT16)}. */
    default Tensor float16() {
        return to(DType.FLOAT16);
    }

    /** {@code to(DType.BFLOAT16)}. */
    default Tensor bfloat16() {
        return to(DType.BFLOAT16);
    }

    /** {@code to(DType.INT64)}. */
    default Tensor int64() {
        return to(DType.INT64);
    }

    /** {@code to(DType.INT32)}. */
    default Tensor int32() {
        return to(DType.INT32);
    }

    /** {@code to(DType.INT16)}. */
    default Tensor int16() {
        return to(DType.INT16);
    }

    /** {@code to(DType.INT8)}. */
    default Tensor int8() {
        return to(DType.INT8);
    }

    /** {@code to(DType.UINT8)}. */
    default Tensor uint8() {
        return to(DType.UINT8);
    }

    /** {@code to(DType.BOOL)}. */
    default Tensor bool() {
        return to(DType.BOOL);
    }

    // ---- shared

    /** self where the comparison holds or {@code decisive} (self or other) is NaN, other elsewhere. Ties go to self. */
    private Tensor choose(Binary comparison, Tensor other, Tensor decisive) {
        Tensor keepsSelf = Dispatch.binary(comparison, self(), other);
        if (decisive.dtype().isFloating()) {
            keepsSelf = keepsSelf.logicalOr(decisive.isnan());
        }
        return self().where(keepsSelf, other);
    }

    /** |self - other|, and 0 where both are the same infinity. */
    private Tensor distance(Tensor other) {
        return self().sub(other).maskedFill(self().eq(other), 0).abs();
    }

    private void requireMask(Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new OpException("masked_fill", "the mask must be bool, got " + mask.dtype());
        }
    }

    private void requireSameDType(String op, Tensor other) {
        if (other.dtype() != self().dtype()) {
            throw new OpException(op, "dtypes differ, got " + self().dtype() + " and " + other.dtype());
        }
    }

    private static void requireBound(Object min, Object max) {
        if (min == null && max == null) {
            throw new OpException("clamp", "at least one of min and max is needed, got neither");
        }
    }

    private static double largest(DType floating) {
        return switch (floating) {
            case FLOAT64 -> Double.MAX_VALUE;
            case FLOAT16 -> 65504;
            case BFLOAT16 -> 0x1.fep127;
            case FLOAT32 -> Float.MAX_VALUE;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> throw new IllegalArgumentException(floating.label());
        };
    }
}
