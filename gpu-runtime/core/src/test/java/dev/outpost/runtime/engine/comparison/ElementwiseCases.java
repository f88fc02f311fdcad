package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Every elementwise op, by iterating over its enum, for every dtype that its rule accepts, with operands of every layout. */
public final class ElementwiseCases {
    private static final Shape CUBE = Shape.of(3, 5, 7);

    /** The layouts of three operands; an op with fewer operands uses the first ones. */
    private static final List<List<Layout>> LAYOUTS = List.of(
            dense(Shape.of(0, 3), Shape.of(0, 3), Shape.of(0, 3)),
            dense(Shape.SCALAR, Shape.SCALAR, Shape.SCALAR),
            dense(Shape.of(1, 1), Shape.of(1), Shape.SCALAR),
            dense(Shape.of(67), Shape.of(67), Shape.of(67)),
            dense(CUBE, Shape.SCALAR, CUBE),
            dense(Shape.SCALAR, CUBE, Shape.of(1)),
            dense(CUBE, Shape.of(7), Shape.of(5, 1)),
            dense(Shape.of(5, 1), Shape.of(3, 1, 7), CUBE),
            List.of(transposed(Shape.of(7, 9)), Layout.contiguous(Shape.of(9, 7)), transposed(Shape.of(7, 9))),
            List.of(sliced(Shape.of(9, 40)), transposed(Shape.of(20, 9)), sliced(Shape.of(9, 40))),
            List.of(offset(CUBE, 2), offset(CUBE, 5), offset(CUBE, 1)),
            List.of(offset(Shape.of(40, 2), 1), transposed(Shape.of(2, 40)), offset(Shape.of(2), 3)));

    /**
     * Sums of products with exponentials, logarithms and sines, which engines take from different libraries. Near their zeros a unit of a
     * term is many units of the sum.
     */
    private static final Set<Op> SERIES = Set.of(
            Unary.I0,
            Unary.I0E,
            Unary.I1,
            Unary.I1E,
            Unary.NDTRI,
            Unary.BESSEL_J0,
            Unary.BESSEL_J1,
            Unary.BESSEL_Y0,
            Unary.BESSEL_Y1,
            Unary.BESSEL_K0,
            Unary.BESSEL_K1,
            Unary.SCALED_K0,
            Unary.SCALED_K1,
            Unary.AIRY_AI,
            Unary.AIRY_AI_SLOPE,
            Binary.ZETA,
            Binary.IGAMMA,
            Binary.IGAMMAC,
            Binary.CHEBYSHEV_T,
            Binary.CHEBYSHEV_U,
            Binary.CHEBYSHEV_V,
            Binary.CHEBYSHEV_W,
            Binary.HERMITE_H,
            Binary.HERMITE_HE,
            Binary.LAGUERRE_L,
            Binary.LEGENDRE_P);

    private static final long TERMS = 8;

    private ElementwiseCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : DType.values()) {
            Arrays.stream(Unary.values()).forEach(op -> each(consumer, op, dtype));
            Arrays.stream(Binary.values()).forEach(op -> each(consumer, op, dtype, dtype));
            Arrays.stream(Ternary.values()).forEach(op -> each(consumer, op, dtype, dtype, dtype));
            Arrays.stream(Ternary.values()).forEach(op -> each(consumer, op, DType.BOOL, dtype, dtype));
            Arrays.stream(DType.values()).forEach(target -> each(consumer, new Cast(target), dtype));
        }
    }

    private static void each(Consumer<Case> consumer, Op op, DType... dtypes) {
        for (List<Layout> layouts : LAYOUTS) {
            for (OperandSamples samples : List.of(OperandSamples.ORDINARY, OperandSamples.AWKWARD)) {
                TestOperand[] operands = new TestOperand[dtypes.length];
                Arrays.setAll(operands, salt -> TestOperand.of(samples, dtypes[salt], layouts.get(salt), salt));
                Case run = SERIES.contains(op) ? Case.accumulating(TERMS, 1, op, operands) : Case.of(op, operands);
                if (isAccepted(run)) {
                    consumer.accept(run);
                }
            }
        }
    }

    static boolean isAccepted(Case run) {
        try {
            run.op().infer(run.types());
            return true;
        } catch (OpException ignored) {
            return false;
        }
    }

    private static List<Layout> dense(Shape... shapes) {
        return Arrays.stream(shapes).map(Layout::contiguous).toList();
    }

    static Layout transposed(Shape shape) {
        return Layout.contiguous(shape).transpose(0, 1);
    }

    /** Every second column. */
    static Layout sliced(Shape shape) {
        return Layout.contiguous(shape).slice(1, 0, shape.size(1) / 2, 2);
    }

    static Layout offset(Shape shape, long offset) {
        return Layout.of(shape, shape.contiguousStrides(), offset);
    }
}
