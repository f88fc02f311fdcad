package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.ops.PolynomialOps;
import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import dev.outpost.types.Promotion;

/** The arguments of {@link PolynomialOps}. */
public final class Polynomials {
    private Polynomials() {}

    /** The dtype that both are promoted to; float32 where that is none of floats. */
    public static DType resultType(Tensor argument, Tensor degree) {
        DType promoted = Promotion.resultType(argument.dtype(), argument.rank(), degree.dtype(), degree.rank());
        return promoted.isFloating() ? promoted : DType.FLOAT32;
    }

    public static Tensor evaluate(Binary polynomial, Tensor argument, Tensor degree) {
        DType dtype = resultType(argument, degree);
        return Dispatch.binary(polynomial, argument.to(dtype), degree.to(dtype));
    }
}
