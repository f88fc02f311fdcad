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

/** Helpers that make compositions of ops as accurate, and as smooth at boundaries, as a single kernel. */
public final class Numerics {
    private Numerics() {}

    /** True if autograd would record an op on this tensor. */
    public static boolean isRecorded(Tensor tensor) {
        return GradMode.isEnabled() && Batching.requiresGrad(tensor);
    }

    /** Converts 16-bit floats and integers to float32, the dtype for computations of several steps. */
    public static Tensor wide(Tensor tensor) {
        boolean isWide = tensor.dtype() == DType.FLOAT32 || tensor.dtype() == DType.FLOAT64;
        return isWide ? tensor : tensor.to(DType.FLOAT32);
    }

    /** Returns the dtype of the final result of a computation on {@link #wide} values. */
    public static DType resultDType(Tensor operand) {
        return operand.dtype().isFloating() ? operand.dtype() : DType.FLOAT32;
    }

    /** Returns the square root, whose gradient at 0 is 0 rather than infinite. */
    public static Tensor sqrt(Tensor tensor) {
        if (!isRecorded(tensor)) {
            return tensor.sqrt();
        }
        Tensor isZero = tensor.eq(0);
        return tensor.maskedFill(isZero, 1).sqrt().maskedFill(isZero, 0);
    }

    /** Computes with two 16-bit operands of one dtype in float32 and casts the result back. Other operands are not cast. */
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

    /** Returns zeros of a tensor's shape that depend on the tensor in autograd's graph, so that its gradient is zeros instead of null. */
    public static Tensor zeros(Tensor tensor) {
        if (!isRecorded(tensor)) {
            return tensor.zerosLike();
        }
        return tensor.maskedFill(Creation.full(States.home(tensor), Shape.SCALAR, Scalar.of(true)), 0);
    }

    /** Returns the smallest value of a dtype. */
    public static Number lowest(DType dtype) {
        return dtype.isFloating() ? (Number) Double.NEGATIVE_INFINITY : (Number) smallest(dtype);
    }

    /** Returns the largest value of a dtype. */
    public static Number highest(DType dtype) {
        return dtype.isFloating() ? (Number) Double.POSITIVE_INFINITY : (Number) ~smallest(dtype);
    }

    /** Returns the smallest integer of a dtype. Its bitwise complement is the largest, also for an unsigned dtype. */
    private static long smallest(DType dtype) {
        boolean signed = dtype != DType.UINT8 && dtype != DType.BOOL;
        return signed ? Long.MIN_VALUE >> (Long.SIZE - Byte.SIZE * dtype.bytes()) : 0;
    }
}
