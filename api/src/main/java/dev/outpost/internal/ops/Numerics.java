package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.States;
import dev.outpost.internal.vmap.Batching;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.function.BinaryOperator;

/** The means by which compositions are as exact, and as smooth at their edges, as one kernel would be. */
public final class Numerics {
    private Numerics() {}

    /** Whether autograd would record an op on this tensor. */
    public static boolean isRecorded(Tensor tensor) {
        return GradMode.isEnabled() && Batching.requiresGrad(tensor);
    }

    /** 16-bit floats and integers as float32, which is what several steps in a row are computed in. */
    public static Tensor wide(Tensor tensor) {
        boolean isWide = tensor.dtype() == DType.FLOAT32 || tensor.dtype() == DType.FLOAT64;
        return isWide ? tensor : tensor.to(DType.FLOAT32);
    }

    /** The dtype that a result computed from {@link #wide} is given back in. */
    public static DType resultDType(Tensor operand) {
        return operand.dtype().isFloating() ? operand.dtype() : DType.FLOAT32;
    }

    /** The square root, whose gradient at 0 is 0 rather than infinite. */
    public static Tensor sqrt(Tensor tensor) {
        if (!isRecorded(tensor)) {
            return tensor.sqrt();
        }
        Tensor isZero = tensor.eq(0);
        return tensor.maskedFill(isZero, 1).sqrt().maskedFill(isZero, 0);
    }

    /** Two 16-bit operands of one dtype as float32, and the result cast back; others as they are. */
    public static Tensor inFloat32(Tensor one, Tensor other, BinaryOperator<Tensor> op) {
        boolean isNarrow = one.dtype() == DType.FLOAT16 || one.dtype() == DType.BFLOAT16;
        return isNarrow && one.dtype() == other.dtype()
                ? op.apply(one.to(DType.FLOAT32), other.to(DType.FLOAT32)).to(one.dtype())
                : op.apply(one, other);
    }

    public static void requireFloating(String op, Tensor tensor) {
        if (!tensor.dtype().isFloating()) {
            throw new OpException(op, "needs a floating dtype, got " + tensor.type() + DTypeAdvice.CAST_FIRST);
        }
    }

    /** Zeros of a tensor's shape through which autograd sees the tensor: its gradient is zeros, not nothing. */
    public static Tensor zeros(Tensor tensor) {
        if (!isRecorded(tensor)) {
            return tensor.zerosLike();
        }
        return tensor.maskedFill(Creation.full(States.home(tensor), Shape.SCALAR, Scalar.of(true)), 0);
    }

    /** The least value of a dtype. */
    public static Number lowest(DType dtype) {
        return dtype.isFloating() ? (Number) Double.NEGATIVE_INFINITY : (Number) smallest(dtype);
    }

    /** The greatest value of a dtype. */
    public static Number highest(DType dtype) {
        return dtype.isFloating() ? (Number) Double.POSITIVE_INFINITY : (Number) ~smallest(dtype);
    }

    /** The smallest integer of a dtype; its complement is the largest, also where there is no sign. */
    private static long smallest(DType dtype) {
        boolean signed = dtype != DType.UINT8 && dtype != DType.BOOL;
        return signed ? Long.MIN_VALUE >> (Long.SIZE - Byte.SIZE * dtype.bytes()) : 0;
    }
}
