package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.ops.Clamping;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.internal.ops.ScaledSum;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.NumberRange;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/**
 * Elementwise ops: functions of one tensor ({@link UnaryOps}), arithmetic ({@link ArithmeticOps}), and here choices
 * between elements, compositions of several tensors, and conversions. Operands broadcast.
 */
public interface PointwiseOps extends UnaryOps, ArithmeticOps, SpecialOps, PolynomialOps {
    @Override
    Tensor self();

    // ---- choices

    /** Returns self where the condition (bool) is true, other elsewhere. */
    default Tensor where(Tensor condition, Tensor other) {
        return Dispatch.where(condition, self(), other);
    }

    /**
     * Same as {@link #where(Tensor, Tensor)}.
     *
     * {@snippet file="OpExamplesTest.java" region="where"}
     */
    default Tensor where(Tensor condition, Number other) {
        return Dispatch.where(condition, self(), Operand.of(other));
    }

    /**
     * Returns the value where the mask (bool) is true, and self elsewhere, in self's dtype. The mask broadcasts to self.
     *
     * {@snippet file="OpExamplesTest.java" region="maskedFill"}
     *
     * @throws OpException if the mask is not bool, or the dtype cannot hold the value
     */
    default Tensor maskedFill(Tensor mask, Number value) {
        requireMask(mask);
        return Dispatch.apply(Ternary.WHERE, mask, Operand.fitting("masked_fill", value, self().dtype()), self());
    }

    /** Like {@link #maskedFill(Tensor, Number)}, but with a zero-dimensional tensor. */
    default Tensor maskedFill(Tensor mask, Tensor value) {
        requireMask(mask);
        if (value.dim() != 0) {
            throw new OpException("masked_fill", "the value must have no dimensions, got " + value.shape());
        }
        return Dispatch.apply(Ternary.WHERE, mask, value.cast(self().dtype()), self());
    }

    /**
     * Clamps elements to [min, max]. Either bound may be null; if min is above max, the result is max. NaN stays NaN. Both bounds
     * must fit the dtype of the result; a negative one wraps in uint8, as in PyTorch.
     *
     * {@snippet file="OpExamplesTest.java" region="clamp"}
     *
     * @throws OpException if both bounds are null, or a bound does not fit the dtype
     */
    default Tensor clamp(@Nullable Number min, @Nullable Number max) {
        return Scope.tidy(() -> Clamping.clamp(self(), min, max));
    }

    /** Same as {@link #clamp(Number, Number)}; NaN in a bound gives NaN. */
    default Tensor clamp(@Nullable Tensor min, @Nullable Tensor max) {
        return Scope.tidy(() -> Clamping.clamp(self(), min, max));
    }

    /** Replaces elements below min by min. */
    default Tensor clampMin(Number min) {
        return Scope.tidy(() -> Clamping.clampMin(self(), min));
    }

    /** Same as {@link #clampMin(Number)}. */
    default Tensor clampMin(Tensor min) {
        return clamp(min, null);
    }

    /** Replaces elements above max by max. */
    default Tensor clampMax(Number max) {
        return Scope.tidy(() -> Clamping.clampMax(self(), max));
    }

    /** Same as {@link #clampMax(Number)}. */
    default Tensor clampMax(Tensor max) {
        return clamp(null, max);
    }

    /** Returns the larger element; if one of the two is NaN, returns the other. */
    default Tensor fmax(Tensor other) {
        return Scope.tidy(() -> numberOf(Binary.MAXIMUM, other));
    }

    /** Returns the smaller element; if one of the two is NaN, returns the other. */
    default Tensor fmin(Tensor other) {
        return Scope.tidy(() -> numberOf(Binary.MINIMUM, other));
    }

    /** Returns 0 where self is negative or NaN, 1 where it is positive, {@code values} where it is 0. */
    default Tensor heaviside(Tensor values) {
        requireSameDType("heaviside", values);
        return Scope.tidy(() -> values.where(self().eq(0), self().gt(0).to(self().dtype())));
    }

    /** Returns 0 for NaN, the dtype's largest and smallest numbers for the infinities. */
    default Tensor nanToNum() {
        return nanToNum(0, null, null);
    }

    /**
     * Replaces NaN, +∞ and -∞. Null stands for 0, the dtype's largest and the dtype's smallest number. A replacement beyond the dtype's
     * range becomes infinite.
     */
    default Tensor nanToNum(@Nullable Number nan, @Nullable Number posInf, @Nullable Number negInf) {
        if (!self().dtype().isFloating()) {
            return self().clone();
        }
        NumberRange range = NumberRange.of(self().dtype());
        return ElementwiseFunctions.nanToNum(
                        nan == null ? 0 : nan,
                        posInf == null ? range.largest() : posInf,
                        negInf == null ? range.lowest() : negInf)
                .of(self());
    }

    // ---- compositions

    /** Returns self + weight · (end - self). Both tensors must have one floating dtype. */
    default Tensor lerp(Tensor end, Number weight) {
        requireSameDType("lerp", end);
        Numerics.requireFloating("lerp", self());
        return Scope.tidy(() -> {
            double share = ArgumentChecks.required(weight, "the weight").doubleValue();
            Tensor start = Numerics.wide(self());
            Tensor stop = Numerics.wide(end);
            return ElementwiseFunctions.lerp(share).of(start, stop).to(self().dtype());
        });
    }

    /**
     * Same as {@link #lerp(Tensor, Number)}. A weight without dimensions may have any dtype; all operands are then
     * promoted together.
     */
    default Tensor lerp(Tensor end, Tensor weight) {
        requireSameDType("lerp", end);
        if (weight.dim() > 0) {
            requireSameDType("lerp", weight);
        }
        DType dtype = OpRecording.resultType(self(), end, weight);
        if (!dtype.isFloating()) {
            Numerics.requireFloating("lerp", self());
        }
        return Scope.tidy(() -> {
            Tensor start = Numerics.wide(self().to(dtype));
            Tensor stop = Numerics.wide(end.to(dtype));
            Tensor share = Numerics.wide(weight.to(dtype));
            return ElementwiseFunctions.WEIGHTED_LERP.of(start, stop, share).to(dtype);
        });
    }

    /**
     * Returns self + value · first · second, promoted together. For integers, the fraction of value is dropped. Bool
     * is refused.
     */
    default Tensor addcmul(Tensor first, Tensor second, Number value) {
        return Scope.tidy(() -> (Tensor) new ScaledSum("addcmul", self(), first, second).plus(Binary.MUL, value));
    }

    /** Returns self + first · second. */
    default Tensor addcmul(Tensor first, Tensor second) {
        return addcmul(first, second, 1);
    }

    /** Returns self + value · first / second, promoted together. Two integer tensors are refused. */
    default Tensor addcdiv(Tensor first, Tensor second, Number value) {
        if (!first.dtype().isFloating() && !second.dtype().isFloating()) {
            throw new OpException(
                    "addcdiv", "one of the two must be floating, got " + first.type() + " and " + second.type());
        }
        return Scope.tidy(() -> (Tensor) new ScaledSum("addcdiv", self(), first, second).plus(Binary.DIV, value));
    }

    /** Returns self + first / second. */
    default Tensor addcdiv(Tensor first, Tensor second) {
        return addcdiv(first, second, 1);
    }

    /** Returns log(exp(self) + exp(other)) without overflow. */
    default Tensor logaddexp(Tensor other) {
        return ElementwiseFunctions.logaddexp(self(), other);
    }

    /** Returns log2(2^self + 2^other) without overflow. */
    default Tensor logaddexp2(Tensor other) {
        return ElementwiseFunctions.logaddexp2(self(), other);
    }

    /** Returns self · log(other), and 0 where self is 0 and other is not NaN. */
    default Tensor xlogy(Tensor other) {
        return ElementwiseFunctions.xlogy(self(), other);
    }

    /** Same as {@link #xlogy(Tensor)}. */
    default Tensor xlogy(Number other) {
        return ElementwiseFunctions.xlogy(self(), other);
    }

    // ---- conversions

    /**
     * Converts to another dtype. Returns the tensor itself if it has this dtype. Floating to integer truncates toward zero; every
     * number except 0 becomes true.
     *
     * {@snippet file="OpExamplesTest.java" region="to"}
     */
    default Tensor to(DType dtype) {
        ArgumentChecks.required(dtype, "the dtype");
        return self().dtype() == dtype ? self() : Dispatch.apply(new Cast(dtype), self());
    }

    /** Same as {@code to(DType.FLOAT64)}. */
    default Tensor float64() {
        return to(DType.FLOAT64);
    }

    /** Same as {@code to(DType.FLOAT32)}. */
    default Tensor float32() {
        return to(DType.FLOAT32);
    }

    /** Same as {@code to(DType.FLOAT16)}. */
    default Tensor float16() {
        return to(DType.FLOAT16);
    }

    /** Same as {@code to(DType.BFLOAT16)}. */
    default Tensor bfloat16() {
        return to(DType.BFLOAT16);
    }

    /** Same as {@code to(DType.INT64)}. */
    default Tensor int64() {
        return to(DType.INT64);
    }

    /** Same as {@code to(DType.INT32)}. */
    default Tensor int32() {
        return to(DType.INT32);
    }

    /** Same as {@code to(DType.INT16)}. */
    default Tensor int16() {
        return to(DType.INT16);
    }

    /** Same as {@code to(DType.INT8)}. */
    default Tensor int8() {
        return to(DType.INT8);
    }

    /** Same as {@code to(DType.UINT8)}. */
    default Tensor uint8() {
        return to(DType.UINT8);
    }

    /** Same as {@code to(DType.BOOL)}. */
    default Tensor bool() {
        return to(DType.BOOL);
    }

    // ---- shared

    /** Returns the extreme of two elements; if one of them is NaN, returns the other. */
    private Tensor numberOf(Binary extreme, Tensor other) {
        Tensor both = Dispatch.binary(extreme, self(), other);
        if (!both.dtype().isFloating()) {
            return both;
        }
        Tensor mine = self().to(both.dtype());
        Tensor others = other.to(both.dtype());
        return mine.where(others.isnan(), others.where(mine.isnan(), both));
    }

    private void requireMask(Tensor mask) {
        if (ArgumentChecks.required(mask, "the mask").dtype() != DType.BOOL) {
            throw new OpException("masked_fill", DTypeAdvice.expected("the mask", DType.BOOL, mask.dtype()));
        }
    }

    private void requireSameDType(String op, Tensor other) {
        ArgumentChecks.required(other, "the other operand");
        if (other.dtype() != self().dtype()) {
            throw new OpException(op, DTypeAdvice.differ(self().dtype(), other.dtype()));
        }
    }
}
