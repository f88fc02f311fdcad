package dev.outpost.internal.ops;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.TensorState;
import dev.outpost.ops.PolynomialOps;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.Promotion;

/** The arguments of {@link PolynomialOps}. */
public final class Polynomials {
    private Polynomials() {}

    /** Returns the dtype that both are promoted to, or float32 if that is not floating. */
    public static DType resultType(TensorState argument, TensorState degree) {
        DType promoted = Promotion.resultType(argument.dtype(), argument.rank(), degree.dtype(), degree.rank());
        return promoted.isFloating() ? promoted : DType.FLOAT32;
    }

    public static TensorState evaluate(Binary polynomial, TensorState argument, TensorState degree) {
        DType dtype = resultType(argument, degree);
        return OpRecording.binary(polynomial, argument.cast(dtype), degree.cast(dtype));
    }
}
