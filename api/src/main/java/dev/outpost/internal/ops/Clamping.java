package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Internals;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Elements held between bounds. The tensor and both bounds are promoted together, before anything is compared. */
public final class Clamping {
    private Clamping() {}

    public static Tensor clamp(Tensor tensor, Number min, Number max) {
        requireBound(min, max);
        if (min != null && max != null && (isNan(min) || isNan(max))) {
            return allNan(tensor);
        }
        DType dtype = min == null || max == null
                ? resultType(tensor, min == null ? max : min)
                : Dispatch.resultType(tensor, Operand.of(min), Operand.of(max));
        if (isNan(min == null ? max : min)) {
            return withoutSlope(tensor.to(dtype));
        }
        Tensor bounded = withoutSlopeAtNan(tensor.to(dtype));
        bounded = min == null ? bounded : raised(bounded, Operand.fitting("clamp", min, dtype));
        return max == null ? bounded : lowered(bounded, Operand.fitting("clamp", max, dtype));
    }

    public static Tensor clampMin(Tensor tensor, Number min) {
        if (isNan(min)) {
            return allNan(tensor);
        }
        DType dtype = resultType(tensor, min);
        return raised(withoutSlopeAtNan(tensor.to(dtype)), Operand.fitting("clamp_min", min, dtype));
    }

    public static Tensor clampMax(Tensor tensor, Number max) {
        if (isNan(max)) {
            return allNan(tensor);
        }
        DType dtype = resultType(tensor, max);
        return lowered(withoutSlopeAtNan(tensor.to(dtype)), Operand.fitting("clamp_max", max, dtype));
    }

    public static Tensor clamp(Tensor tensor, Tensor min, Tensor max) {
        requireBound(min, max);
        DType dtype = min == null || max == null
                ? Dispatch.resultType(tensor, min == null ? max : min)
                : Dispatch.resultType(tensor, min, max);
        Tensor bounded = withoutSlopeAtNan(tensor.to(dtype));
        bounded = min == null ? bounded : chosen(Binary.GE, bounded, lowerBound(min.to(dtype), max, dtype));
        return max == null ? bounded : chosen(Binary.LE, bounded, withoutSlopeAtNan(max.to(dtype)));
    }

    private static DType resultType(Tensor tensor, Number bound) {
        return Dispatch.resultType(tensor, Operand.of(bound));
    }

    private static Tensor raised(Tensor tensor, Operand min) {
        return Dispatch.where(Dispatch.binary(Binary.LT, tensor, min), min, tensor);
    }

    private static Tensor lowered(Tensor tensor, Operand max) {
        return Dispatch.where(Dispatch.binary(Binary.GT, tensor, max), max, tensor);
    }

    /** The tensor where the comparison holds or it is NaN, the bound elsewhere. */
    private static Tensor chosen(Binary comparison, Tensor tensor, Tensor bound) {
        Tensor isWithin = Dispatch.binary(comparison, tensor, bound);
        return tensor.where(tensor.dtype().isFloating() ? isWithin.logicalOr(tensor.isnan()) : isWithin, bound);
    }

    /** NaN is neither within bounds nor beyond one, so no gradient flows to it. */
    private static Tensor withoutSlopeAtNan(Tensor tensor) {
        return Numerics.isRecorded(tensor) ? tensor.where(tensor.eq(tensor), tensor.detach()) : tensor;
    }

    /** As PyTorch has it, one bound of NaN holds nothing back, and nothing is within it. */
    private static Tensor withoutSlope(Tensor tensor) {
        return Numerics.isRecorded(tensor) ? tensor.where(tensor.isnan().zerosLike(), tensor.detach()) : tensor;
    }

    /** As PyTorch has it, no gradient flows to a lower bound that is not below the upper one. */
    private static Tensor lowerBound(Tensor min, Tensor max, DType dtype) {
        Tensor bound = withoutSlopeAtNan(min);
        return max == null || !Numerics.isRecorded(min) ? bound : bound.where(min.lt(max.to(dtype)), bound.detach());
    }

    private static boolean isNan(Number bound) {
        return Double.isNaN(bound.doubleValue());
    }

    private static Tensor allNan(Tensor tensor) {
        Tensor everywhere = Creation.full(Internals.home(tensor), Shape.SCALAR, Scalar.of(true));
        return tensor.to(Numerics.resultDType(tensor)).maskedFill(everywhere, Double.NaN);
    }

    private static void requireBound(Object min, Object max) {
        if (min == null && max == null) {
            throw new OpException("clamp", "at least one of min and max is needed, got neither");
        }
    }
}
