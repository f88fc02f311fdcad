package dev.outpost.internal;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** Makes tensors out of nothing on a machine; what users call stands in {@link RemoteMachine}. */
public final class Creation {
    private Creation() {}

    public static Tensor full(TensorDevice device, Shape shape, Scalar value) {
        return Dispatch.make(device, new Fill(shape, value));
    }

    /** As users ask for it: a number that the dtype does not hold is refused. */
    public static Tensor full(TensorDevice device, Shape shape, String op, Number value, DType dtype) {
        return full(device, shape, Operand.fitting(op, value, dtype).scalar());
    }

    public static Tensor full(TensorDevice device, Shape shape, DType dtype, double value) {
        return full(device, shape, Scalar.of(dtype, value));
    }

    /** 0, 1, 2, … as int64. */
    public static Tensor indices(TensorDevice device, long length) {
        return arange(device, DType.INT64, length, Scalar.of(DType.INT64, 0L), Scalar.of(DType.INT64, 1L));
    }

    public static Tensor arange(TensorDevice device, DType dtype, long length, Scalar start, Scalar step) {
        return Dispatch.make(device, new Arange(dtype, length, start, step));
    }
}
