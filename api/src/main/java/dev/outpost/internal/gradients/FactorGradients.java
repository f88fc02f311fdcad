package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradient.NONE;
import static dev.outpost.internal.gradients.Gradient.Saves.FIRST_INPUT_AND_OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.unary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.TriangularSolve;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The rules of factorizations, with what is solved by triangles in place of inverses (Giles, "Collected matrix derivative results
 * for forward and reverse mode algorithmic differentiation", 2008; Murray, "Differentiation of the Cholesky decomposition",
 * 2016; of LU, PyTorch's FunctionsManual.cpp).
 */
public final class FactorGradients {
    private FactorGradients() {}

    public static Gradient of(Factorization op) {
        return switch (op) {
            case Cholesky cholesky -> unary(OUTPUTS, FactorGradients::cholesky);
            case LuFactor lu -> unary(OUTPUTS, FactorGradients::lu);
            case TriangularSolve solve ->
                new Gradient(FIRST_INPUT_AND_OUTPUTS, (node, g) -> FactorGradients.solveTriangular(solve, node, g[0]));
            case Qr qr ->
                switch (qr.form()) {
                    case REDUCED, COMPLETE -> unaryOfMany((node, g) -> OrthogonalGradients.qr(qr, node, g));
                    case REFLECTIONS -> OrthogonalGradients.refused("geqrf", "qr has");
                    case TRIANGLE -> OrthogonalGradients.refused("qr without Q", "a reduced one has");
                };
            case Eigh eigh ->
                eigh.vectors()
                        ? unaryOfMany(OrthogonalGradients::eigh)
                        : OrthogonalGradients.refused("eigh without vectors", "with them it has");
            case Eig eig ->
                eig.vectors()
                        ? unaryOfMany(EigenvectorGradients::eig)
                        : OrthogonalGradients.refused("eig without vectors", "with them it has");
            case Svd svd ->
                svd.form() == Svd.Form.VALUES
                        ? OrthogonalGradients.refused("svd without vectors", "with them it has")
                        : unaryOfMany(OrthogonalGradients::svd);
            case PivotOrder none -> NONE;
            case Ldl none -> NONE;
            case LdlSolve none -> NONE;
        };
    }

    /** Of one input and of several outputs, which it looks at. */
    private static Gradient unaryOfMany(BiFunction<OpNode, Tensor[], Tensor> rule) {
        return new Gradient(OUTPUTS, (node, g) -> new Tensor[] {rule.apply(node, g)});
    }

    public static Tensor solve(boolean upper, boolean unit, Tensor triangles, Tensor right) {
        return Dispatch.apply(new TriangularSolve(upper, unit), triangles, right);
    }

    /** {@code L⁻ᵀ Φ(Lᵀ g) L⁻¹}, where Φ is the lower triangle with half of the diagonal; made symmetric. */
    public static Tensor cholesky(OpNode node, Tensor g) {
        Tensor transposed = Gradient.output(node, 0).mT();
        Tensor product = transposed.matmul(g);
        Tensor half = product.tril().add(product.tril(-1)).mul(0.5);
        Tensor left = solve(true, false, transposed, half);
        Tensor both = solve(true, false, transposed, left.mT());
        return both.add(both.mT()).mul(0.5);
    }

    /** Of {@code a x = b}: for b {@code a⁻ᵀ g}, and for a, where it is looked at, that times {@code -xᵀ}. */
    public static Tensor[] solveTriangular(TriangularSolve op, OpNode node, Tensor g) {
        Tensor triangle = (Tensor) node.input(0);
        Tensor ofRight = solve(!op.upper(), op.unit(), triangle.mT(), g);
        return new Tensor[] {
            node.needs(0) ? seen(op, ofRight.matmul(Gradient.output(node, 0).mT()).neg()) : null, ofRight
        };
    }

    private static Tensor seen(TriangularSolve op, Tensor matrices) {
        int inside = op.unit() ? 1 : 0;
        return op.upper() ? matrices.triu(inside) : matrices.tril(-inside);
    }

    // ---- LU

    /** Of {@code p a = l u}, by the rows' order: what arrives for l is below the diagonal, what arrives for u is the rest. */
    public static Tensor lu(OpNode node, Tensor g) {
        Tensor packed = Gradient.output(node, 0);
        boolean isWide = packed.size(-2) < packed.size(-1);
        Tensor inOrder = isWide ? wide(packed, g) : tall(packed, g);
        return LinearSystems.rows(
                inOrder, LinearSystems.order(Gradient.output(node, 1), packed.size(-2)).argsort(-1, false));
    }

    /** {@code l⁻ᵀ (g_u + tril(lᵀ g_l - g_u uᵀ) u₁⁻ᵀ)}, of which the columns behind the square part u₁ have g_u alone. */
    private static Tensor wide(Tensor packed, Tensor g) {
        long side = packed.size(-2);
        Tensor lower = LinearSystems.unitLower(packed);
        Tensor upper = packed.triu();
        Tensor toUpper = g.triu();
        Tensor toLower = g.narrow(-1, 0, side).tril(-1);
        Tensor within =
                lower.mT().matmul(toLower).sub(toUpper.matmul(upper.mT())).tril(-1);
        Tensor square = overTransposed(within, upper.narrow(-1, 0, side)).add(toUpper.narrow(-1, 0, side));
        Tensor behind = toUpper.narrow(-1, side, packed.size(-1) - side);
        return solve(true, true, lower.mT(), Tensors.cat(List.of(square, behind), -1));
    }

    /** {@code (g_l + l₁⁻ᵀ triu(g_u uᵀ - lᵀ g_l)) u⁻ᵀ}, of which the rows below the square part l₁ have g_l alone. */
    private static Tensor tall(Tensor packed, Tensor g) {
        long side = packed.size(-1);
        Tensor lower = LinearSystems.unitLower(packed);
        Tensor upper = packed.narrow(-2, 0, side).triu();
        Tensor toUpper = g.narrow(-2, 0, side).triu();
        Tensor toLower = g.tril(-1);
        Tensor within =
                toUpper.matmul(upper.mT()).sub(lower.mT().matmul(toLower)).triu();
        Tensor square =
                solve(true, true, lower.narrow(-2, 0, side).mT(), within).add(toLower.narrow(-2, 0, side));
        Tensor below = toLower.narrow(-2, side, packed.size(-2) - side);
        return overTransposed(Tensors.cat(List.of(square, below), -2), upper);
    }

    /** {@code x u⁻ᵀ}. */
    public static Tensor overTransposed(Tensor x, Tensor upper) {
        return solve(true, false, upper, x.mT()).mT();
    }
}
