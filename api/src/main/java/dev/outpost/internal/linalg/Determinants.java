package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.LibraryFunction;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.types.DType;

/** Determinants by LU. The same factors are used to solve for the gradients. */
public final class Determinants {
    private Determinants() {}

    /** Computes determinants. As in PyTorch, empty matrices get no gradient. */
    public static Tensor det(Tensor matrices) {
        LinearSystems.requireSquare("det", matrices);
        Tensor source = matrices.numel() == 0 ? matrices.detach() : matrices;
        return new Determinant().apply(source)[0];
    }

    /** Computes sign and logarithm of the absolute value. */
    public static Tensor[] slogdet(Tensor matrices) {
        return new Logarithm().apply(LinearSystems.requireSquare("slogdet", matrices));
    }

    /** Returns 1, or -1 after an odd number of row exchanges. */
    private static Tensor parity(Tensor pivots, DType dtype) {
        Tensor positions =
                Creation.indices(States.home(pivots), pivots.size(-1)).add(1);
        return pivots.ne(positions).sum(-1).remainder(2).mul(-2).add(1).to(dtype);
    }

    private static Tensor diagonal(Tensor packed) {
        return packed.diagonal(0, -2, -1);
    }

    /** Computes {@code a⁻ᵀ} times a number for each matrix. */
    private static Tensor inverseTransposed(Tensor packed, Tensor pivots, Tensor factors) {
        Tensor scaled = LinearSystems.unit(packed).mul(factors.unsqueeze(-1).unsqueeze(-1));
        return LinearSystems.solve(packed, pivots, scaled, true);
    }

    /** Like {@link #inverseTransposed(Tensor, Tensor, Tensor)}, but differentiable with respect to the matrices. */
    private static Tensor inverseTransposed(Tensor matrices, Tensor factors) {
        Tensor scaled = LinearSystems.unit(matrices).mul(factors.unsqueeze(-1).unsqueeze(-1));
        return LinearSystems.solve("det", matrices.mT(), scaled, false)[0];
    }

    /** The determinant. Its gradient consists of the cofactors, {@code det(a) a⁻ᵀ}. */
    private static final class Determinant extends LibraryFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            Tensor[] factors = LinearSystems.factor(inputs[0], false);
            context.save(inputs[0], factors[0], factors[1]);
            return new Tensor[] {det(factors[0], factors[1])};
        }

        private static Tensor det(Tensor packed, Tensor pivots) {
            return diagonal(packed).prod(-1).mul(parity(pivots, packed.dtype()));
        }

        /**
         * Cofactors are polynomials in the elements. Therefore the cofactors of a singular matrix equal, except for rounding, those of
         * a nearby matrix whose U has tiny numbers in place of zeros.
         */
        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            if (GradMode.isEnabled()) {
                Tensor matrices = context.saved(0);
                return new Tensor[] {inverseTransposed(matrices, gradients[0].mul(Determinants.det(matrices)))};
            }
            Tensor packed = context.saved(1);
            double step = packed.dtype() == DType.FLOAT32 ? Math.ulp(1f) : Math.ulp(1.0);
            Tensor regular = packed.add(
                    diagonal(packed).eq(0).to(packed.dtype()).mul(step).diagEmbed());
            Tensor factors = gradients[0].mul(det(regular, context.saved(2)));
            return new Tensor[] {inverseTransposed(regular, context.saved(2), factors)};
        }
    }

    /** The sign and the logarithm. The gradient of the logarithm is {@code a⁻ᵀ}; the sign has none. */
    private static final class Logarithm extends LibraryFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            Tensor[] factors = LinearSystems.factor(inputs[0], false);
            context.save(inputs[0], factors[0], factors[1]);
            Tensor diagonal = diagonal(factors[0]);
            Tensor sign = diagonal.sign().prod(-1).mul(parity(factors[1], diagonal.dtype()));
            return new Tensor[] {sign, diagonal.abs().log().sum(-1)};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            if (gradients[1] == null) {
                return new Tensor[] {Numerics.zeros(context.saved(0))};
            }
            return new Tensor[] {
                GradMode.isEnabled()
                        ? inverseTransposed(context.saved(0), gradients[1])
                        : inverseTransposed(context.saved(1), context.saved(2), gradients[1])
            };
        }
    }
}
