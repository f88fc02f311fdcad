package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.ops.PolynomialOps;
import dev.outpost.types.DType;
import dev.outpost.types.Promotion;
import dev.outpost.types.Shape;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** How {@link PolynomialOps} are composed: each polynomial from the two before, kept where it is the one asked for. */
public final class Polynomials {
    private Polynomials() {}

    /** Makes the polynomial of degree {@code k + 1} from those of degrees {@code k} and {@code k - 1}. */
    public interface Recurrence {
        Tensor next(long k, Tensor x, Tensor last, Tensor before);
    }

    /** @param linear makes the polynomial of degree 1 from x and 2 · x */
    public static Tensor chebyshev(Tensor x, Tensor degree, BinaryOperator<Tensor> linear) {
        return evaluate(
                x,
                degree,
                argument -> linear.apply(argument, argument.add(argument)),
                (k, argument, last, before) -> argument.add(argument).mul(last).sub(before));
    }

    /** The dtype that both are promoted to; float32 where that is none of floats. */
    public static DType resultType(Tensor argument, Tensor degree) {
        DType promoted = Promotion.resultType(argument.dtype(), argument.rank(), degree.dtype(), degree.rank());
        return promoted.isFloating() ? promoted : DType.FLOAT32;
    }

    public static Tensor evaluate(Tensor argument, Tensor degree, UnaryOperator<Tensor> linear, Recurrence recurrence) {
        Tensor x = argument.to(resultType(argument, degree));
        Tensor degrees = degree.to(DType.INT64);
        Shape shape = Shape.broadcast("polynomial", x.shape(), degree.shape());
        long largest = degree.numel() == 0 ? 0 : degrees.amax().itemLong();
        Tensor before = x.onesLike();
        Tensor last = linear.apply(x);
        Tensor result = degrees.eq(0).to(x.dtype()).expand(shape);
        result = largest < 1 ? result.clone() : last.where(degrees.eq(1), result);
        for (long k = 1; k < largest; k++) {
            Tensor next = recurrence.next(k, x, last, before);
            before = last;
            last = next;
            result = last.where(degrees.eq(k + 1), result);
        }
        return result;
    }
}
