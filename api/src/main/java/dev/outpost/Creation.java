package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.Shape;

/** Makes tensors out of nothing on a session; what users call stands in {@link RemoteMachine}. */
final class Creation {
    private Creation() {}

    static Tensor full(ClientSession session, Shape shape, Scalar value) {
        return Dispatch.applyAll(session, new Fill(shape, value))[0];
    }

    /** As users ask for it: a number that the dtype does not hold is refused. */
    static Tensor full(ClientSession session, Shape shape, String op, Number value, DType dtype) {
        return full(session, shape, Operand.fitting(op, value, dtype).scalar());
    }

    static Tensor full(ClientSession session, Shape shape, DType dtype, double value) {
        return full(session, shape, Scalar.of(dtype, value));
    }

    /** 0, 1, 2, … as int64. */
    static Tensor indices(ClientSession session, long length) {
        return arange(session, DType.INT64, length, Scalar.of(DType.INT64, 0L), Scalar.of(DType.INT64, 1L));
    }

    static Tensor arange(ClientSession session, DType dtype, long length, Scalar start, Scalar step) {
        return Dispatch.applyAll(session, new Arange(dtype, length, start, step))[0];
    }
}
