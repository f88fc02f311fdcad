package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Clamps elements to bounds. The tensor and both bounds are promoted together before the comparison. */
public final class Clamping {
    private Clamping() {}

    public static Tensor clamp(Tensor tensor, Number min, Number max) {
        requireBound(min, max);
        if (isNan(min) || isNan(max)) {
            return allNan(tensor);
        }
        DType dtype = min == null || max == null
                ? resultType(tensor, min == null ? max : min)
                : OpRecording.resultType(tensor, Operand.of(min), Operand.of(max));
        Operand low = min == null ? null : Operand.fitting("clamp", min, dtype);
        Operand high = max == null ? null : Operand.fitting("clamp", max, dtype);
        Tensor bounded = withSlopeInside(tensor.to(dtype), low, high);
        bounded = low == null ? bounded : raised(bounded, low);
        return high == null ? bounded : lowered(bounded, high);
    }

    public static Tensor clampMin(Tensor tensor, Number min) {
        return clamp(tensor, min, null);
    }

    public static Tensor clampMax(Tensor tensor, Number max) {
        return clamp(tensor, null, max);
    }

    /**
     * If the tensor and a bound are equal, they share the gradient, like the operands of a maximum. If the tensor and
     * both bounds are equal, the tensor gets the whole gradient. The tensor also gets all of it next to NaN.
     */
    public static Tensor clamp(Tensor tensor, Tensor min, Tensor max) {
        requireBound(min, max);
        DType dtype = min == null || max == null
                ? OpRecording.resultType(tensor, min == null ? max : min)
                : OpRecording.resultType(tensor, min, max);
        Tensor x = tensor.to(dtype);
        if (min == null) {
            return Dispatch.binary(Binary.MINIMUM, x, max.to(dtype));
        }
        Tensor low = min.to(dtype);
        if (max == null) {
            return Dispatch.binary(Binary.MAXIMUM, x, low);
        }
        Tensor high = max.to(dtype);
        boolean isRecorded = Numerics.isRecorded(x) || Numerics.isRecorded(low) || Numerics.isRecorded(high);
        Tensor value =
                GradMode.noGrad(() -> Dispatch.binary(Binary.MINIMUM, Dispatch.binary(Binary.MAXIMUM, x, low), high));
        return isRecorded ? withSlopes(x, low, high, value) : value;
    }

    /**
     * Returns the same values, with each element taken from the operand that decides it, so that gradients flow there. NaN comes from the
     * tensor, unless the tensor's element is beyond a bound.
     */
    private static Tensor withSlopes(Tensor x, Tensor low, Tensor high, Tensor value) {
        Tensor isNumber = value.eq(value);
        Tensor isBelow = x.lt(low);
        Tensor isInside = isBelow.logicalOr(x.gt(high)).logicalNot();
        Tensor bound = low.where(isBelow.logicalAnd(low.le(high)), high);
        Tensor ofNan = x.add(value).where(isInside, value);
        Tensor decided = x.where(isInside, bound).where(isNumber, ofNan);
        Tensor canTie = isNumber.logicalAnd(low.lt(high));
        Tensor atHigh = Dispatch.binary(Binary.MINIMUM, x, high).where(canTie.logicalAnd(x.eq(high)), decided);
        return Dispatch.binary(Binary.MAXIMUM, x, low).where(canTie.logicalAnd(x.eq(low)), atHigh);
    }

    private static DType resultType(Tensor tensor, Number bound) {
        return OpRecording.resultType(tensor, Operand.of(bound));
    }

    private static Tensor raised(Tensor tensor, Operand min) {
        return Dispatch.where(Dispatch.binary(Binary.LT, tensor, min), min, tensor);
    }

    private static Tensor lowered(Tensor tensor, Operand max) {
        return Dispatch.where(Dispatch.binary(Binary.GT, tensor, max), max, tensor);
    }

    /** As in PyTorch, no gradient flows to elements at or beyond a bound, or to NaN. */
    private static Tensor withSlopeInside(Tensor x, Operand min, Operand max) {
        if (!Numerics.isRecorded(x)) {
            return x;
        }
        Tensor isAbove = min == null ? null : Dispatch.binary(Binary.GT, x, min);
        Tensor isBelow = max == null ? null : Dispatch.binary(Binary.LT, x, max);
        Tensor isInside = isAbove == null ? isBelow : isBelow == null ? isAbove : isAbove.logicalAnd(isBelow);
        return x.where(isInside, x.detach());
    }

    private static boolean isNan(Number bound) {
        return bound != null && Double.isNaN(bound.doubleValue());
    }

    private static Tensor allNan(Tensor tensor) {
        Tensor everywhere = Creation.full(States.home(tensor), Shape.SCALAR, Scalar.of(true));
        return tensor.to(Numerics.resultDType(tensor)).maskedFill(everywhere, Double.NaN);
    }

    private static void requireBound(Object min, Object max) {
        if (min == null && max == null) {
            throw new OpException("clamp", "at least one of min and max is needed, got neither");
        }
    }
}
