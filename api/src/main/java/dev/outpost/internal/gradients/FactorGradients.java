package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradient.NONE;
import static dev.outpost.internal.gradients.Gradient.Saves.FIRST_INPUT_AND_OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.ofOutput;
import static dev.outpost.internal.gradients.Gradient.ofOutputs;
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
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The rules of factorizations. They solve triangular systems instead of computing inverses (Giles, "Collected matrix derivative results
 * for forward and reverse mode algorithmic differentiation", 2008; Murray, "Differentiation of the Cholesky decomposition", 2016; for
 * LU, PyTorch's FunctionsManual.cpp).
 */
public final class FactorGradients {
    private FactorGradients() {}

    public static Gradient of(Factorization op) {
        return switch (op) {
            case Cholesky cholesky -> unary(OUTPUTS, FactorGradients::cholesky);
            case LuFactor lu -> unary(OUTPUTS, FactorGradients::lu);
            case TriangularSolve solve ->
                ofOutput(FIRST_INPUT_AND_OUTPUTS, (node, g) -> solveTriangular(solve, node, g));
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

    /** Returns the rule for an op with one input and several outputs. It uses the outputs. */
    private static Gradient unaryOfMany(BiFunction<OpNode, Tensor[], Tensor> rule) {
        return ofOutputs(OUTPUTS, (node, g) -> new Tensor[] {rule.apply(node, g)});
    }

    public static Tensor solve(boolean upper, boolean unit, Tensor triangles, Tensor right) {
        return Dispatch.apply(new TriangularSolve(upper, unit), triangles, right);
    }

    /** Returns {@code L⁻ᵀ Φ(Lᵀ g) L⁻¹}, made symmetric. Φ takes the lower triangle with half of the diagonal. */
    public static Tensor cholesky(OpNode node, Tensor g) {
        Tensor transposed = Gradient.output(node, 0).mT();
        Tensor product = transposed.matmul(g);
        Tensor half = product.tril().add(product.tril(-1)).mul(0.5);
        Tensor left = solve(true, false, transposed, half);
        Tensor both = solve(true, false, transposed, left.mT());
        return both.add(both.mT()).mul(0.5);
    }

    /**
     * The rule of {@code a x = b}. The gradient of b is {@code a⁻ᵀ g}. The gradient of a is this times {@code -xᵀ}, restricted to the
     * triangle that was read.
     */
    public static Tensor[] solveTriangular(TriangularSolve op, OpNode node, Tensor g) {
        Tensor triangle = (Tensor) node.input(0);
        Tensor ofRight = solve(!op.upper(), op.unit(), triangle.mT(), g);
        return new Tensor[] {
            node.needs(0)
                    ? seen(op, ofRight.matmul(Gradient.output(node, 0).mT()).neg())
                    : null,
            ofRight
        };
    }

    private static Tensor seen(TriangularSolve op, Tensor matrices) {
        int inside = op.unit() ? 1 : 0;
        return op.upper() ? matrices.triu(inside) : matrices.tril(-inside);
    }

    // ---- LU

    /**
     * The rule of {@code p a = l u}, with the rows reordered. The arriving gradient has the gradient of l below the
     * diagonal, and the gradient of u on and above it.
     */
    public static Tensor lu(OpNode node, Tensor g) {
        Tensor packed = Gradient.output(node, 0);
        boolean isWide = packed.size(-2) < packed.size(-1);
        Tensor inOrder = isWide ? wide(packed, g) : tall(packed, g);
        return LinearSystems.rows(
                inOrder,
                LinearSystems.order(Gradient.output(node, 1), packed.size(-2)).argsort(-1, false));
    }

    /**
     * Returns {@code l⁻ᵀ (g_u + tril(lᵀ g_l - g_u uᵀ) u₁⁻ᵀ)}, for the square part u₁; tril is without the diagonal.
     * The columns after u₁ use only g_u in the parentheses.
     */
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

    /**
     * Returns {@code (g_l + l₁⁻ᵀ triu(g_u uᵀ - lᵀ g_l)) u⁻ᵀ}, for the square part l₁. The rows below l₁ use only g_l
     * in the parentheses.
     */
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

    /** Returns {@code x u⁻ᵀ}. */
    public static Tensor overTransposed(Tensor x, Tensor upper) {
        return solve(true, false, upper, x.mT()).mT();
    }

    /**
     * The rule of eigenvectors of general matrices (Boeddeker et al., "On the computation of complex-valued gradients", 2017, as in
     * PyTorch's FunctionsManual.cpp). The loss must not depend on the phase of a vector, which is arbitrary. If eigenvalues are equal,
     * the gradient of their vectors is not finite.
     */
    public static final class EigenvectorGradients {
        private EigenvectorGradients() {}

        /** Complex matrices as real and imaginary parts. */
        private record Parts(Tensor real, Tensor imag) {
            Parts mH() {
                return new Parts(real.mT(), imag.mT().neg());
            }

            Parts matmul(Parts other) {
                return new Parts(
                        real.matmul(other.real).sub(imag.matmul(other.imag)),
                        real.matmul(other.imag).add(imag.matmul(other.real)));
            }

            Parts sub(Parts other) {
                return new Parts(real.sub(other.real), imag.sub(other.imag));
            }

            Parts div(Parts other) {
                Tensor square = other.real.mul(other.real).add(other.imag.mul(other.imag));
                return new Parts(
                        real.mul(other.real).add(imag.mul(other.imag)).div(square),
                        imag.mul(other.real).sub(real.mul(other.imag)).div(square));
            }

            /** Solves {@code this · x = right} by real matrices of twice the size. */
            Parts solve(Parts right) {
                Tensor left = Tensors.cat(
                        List.of(Tensors.cat(List.of(real, imag.neg()), -1), Tensors.cat(List.of(imag, real), -1)), -2);
                Tensor parts = Tensors.cat(List.of(right.real, right.imag), -2);
                Tensor solved = LinearSystems.solve("solve", left, parts, true)[0];
                long n = real.size(-1);
                return new Parts(solved.narrow(-2, 0, n), solved.narrow(-2, n, n));
            }
        }

        private static Tensor orZeros(Tensor gradient, Tensor output) {
            return gradient == null ? Gradients.zerosLike(output) : gradient;
        }

        /**
         * Returns the real part of {@code v⁻ᴴ (diag(g_l) + (vᴴ g_v - vᴴ v diag(re(vᴴ g_v))) / conj(l_j - l_i)) vᴴ}.
         */
        public static Tensor eig(OpNode node, Tensor[] g) {
            Tensor real = Gradient.output(node, 0);
            Tensor imag = Gradient.output(node, 1);
            Parts vectors = new Parts(Gradient.output(node, 2), Gradient.output(node, 3));
            Parts adjoint = vectors.mH();
            Tensor isDiagonal = real.machine().eye(real.size(-1)).ne(0);
            Parts inner = new Parts(
                    orZeros(g[0], real).diagEmbed(), orZeros(g[1], imag).diagEmbed());
            if (g[2] != null || g[3] != null) {
                Parts arrived = adjoint.matmul(new Parts(orZeros(g[2], vectors.real()), orZeros(g[3], vectors.imag())));
                Tensor lengths = arrived.real().diagonal(0, -2, -1).unsqueeze(-2);
                Parts gram = adjoint.matmul(vectors);
                Parts free = arrived.sub(
                        new Parts(gram.real().mul(lengths), gram.imag().mul(lengths)));
                Parts apart = new Parts(
                        distances(real, isDiagonal, 1),
                        distances(imag, isDiagonal, 0).neg());
                Parts turned = free.div(apart);
                inner = new Parts(
                        inner.real().add(turned.real().maskedFill(isDiagonal, 0)),
                        inner.imag().add(turned.imag().maskedFill(isDiagonal, 0)));
            }
            return adjoint.solve(inner.matmul(adjoint)).real();
        }

        /** Returns the value of each column minus the value of each row. */
        private static Tensor distances(Tensor values, Tensor isDiagonal, Number onDiagonal) {
            return values.unsqueeze(-2).sub(values.unsqueeze(-1)).maskedFill(isDiagonal, onDiagonal);
        }
    }

    /**
     * The rules of QR, eigenvectors and singular vectors (Walter and Lehmann, "Algorithmic differentiation of linear algebra functions
     * with application in optimum experimental design", 2010; Giles, 2008; for their free choices, PyTorch's FunctionsManual.cpp). If
     * two eigenvalues or singular values are equal, the gradient of their vectors is not finite.
     */
    public static final class OrthogonalGradients {
        private OrthogonalGradients() {}

        /** Returns a rule that throws, for an op that does not compute the values that its gradient needs. */
        public static Gradient refused(String op, String advice) {
            return new Gradient(Gradient.Saves.NOTHING, (node, g) -> {
                throw new OpException("backward", op + " has no gradient; " + advice);
            });
        }

        private static Tensor orZeros(Tensor gradient, Tensor output) {
            return gradient == null ? Gradients.zerosLike(output) : gradient;
        }

        // ---- QR

        public static Tensor qr(Qr op, OpNode node, Tensor[] g) {
            Tensor q = Gradient.output(node, 0);
            Tensor r = Gradient.output(node, 1);
            long rows = q.size(-2);
            long columns = r.size(-1);
            if (op.form() == Qr.Form.COMPLETE && rows > columns) {
                throw new OpException(
                        "backward",
                        "qr has no gradient where a complete Q has columns that A does not give; take the reduced one");
            }
            Tensor toQ = orZeros(g[0], q);
            Tensor toR = orZeros(g[1], r);
            return rows >= columns ? tall(q, r, toQ, toR) : wide(q, r, toQ, toR);
        }

        /**
         * Returns {@code (g_q + q s) r⁻ᵀ}, where s is the symmetric matrix with the elements of {@code g_r rᵀ - qᵀ
         * g_q} on and above the diagonal.
         */
        private static Tensor tall(Tensor q, Tensor r, Tensor toQ, Tensor toR) {
            Tensor product = toR.matmul(r.mT()).sub(q.mT().matmul(toQ));
            Tensor symmetric = product.triu().add(product.triu(1).mT());
            return FactorGradients.overTransposed(toQ.add(q.matmul(symmetric)), r);
        }

        /**
         * The columns of a after the square part are {@code q v}, where v is the rest of r. Their gradient is {@code q g_v}, and {@code
         * g_v} also contributes to the gradient of q.
         */
        private static Tensor wide(Tensor q, Tensor r, Tensor toQ, Tensor toR) {
            long side = q.size(-1);
            long behind = r.size(-1) - side;
            Tensor toBehind = toR.narrow(-1, side, behind);
            Tensor given = q.matmul(r.narrow(-1, side, behind));
            Tensor square = tall(
                    q,
                    r.narrow(-1, 0, side),
                    toQ.add(given.matmul(toBehind.mT())),
                    toR.narrow(-1, 0, side).triu());
            return Tensors.cat(List.of(square, q.matmul(toBehind)), -1);
        }

        // ---- eigenvectors

        /** Returns {@code v (diag(g_l) + skew(vᵀ g_v) / (2 (l_j - l_i))) vᵀ}, where {@code skew(m) = m - mᵀ}. */
        public static Tensor eigh(OpNode node, Tensor[] g) {
            Tensor values = Gradient.output(node, 0);
            Tensor vectors = Gradient.output(node, 1);
            Tensor inner = orZeros(g[0], values).diagEmbed();
            if (g[1] != null) {
                inner = inner.add(overDistances(skew(vectors.mT().matmul(g[1])).mul(0.5), values));
            }
            return vectors.matmul(inner).matmul(vectors.mT());
        }

        /** Divides each element by the value of its column minus the value of its row. The diagonal becomes 0. */
        private static Tensor overDistances(Tensor matrices, Tensor values) {
            Tensor isDiagonal = values.machine().eye(values.size(-1)).ne(0);
            Tensor distances = values.unsqueeze(-2).sub(values.unsqueeze(-1)).maskedFill(isDiagonal, 1);
            return matrices.maskedFill(isDiagonal, 0).div(distances);
        }

        // ---- singular vectors

        /**
         * Returns {@code u (diag(g_s) + (skew(uᵀ g_u) s + s skew(vᵀ g_v)) / (s_j² - s_i²)) vᵀ}, where {@code skew(m)
         * = m - mᵀ}, plus a term for the longer side outside of the span of its vectors. The additional vectors of a
         * full decomposition are arbitrary, so their gradients are ignored.
         */
        public static Tensor svd(OpNode node, Tensor[] g) {
            Tensor s = Gradient.output(node, 1);
            long min = s.size(-1);
            Tensor u = Gradient.output(node, 0).narrow(-1, 0, min);
            Tensor vh = Gradient.output(node, 2).narrow(-2, 0, min);
            Tensor inner = orZeros(g[1], s).diagEmbed();
            Tensor squares = s.mul(s);
            Tensor gradient = null;
            if (g[0] != null) {
                Tensor toU = g[0].narrow(-1, 0, min);
                Tensor turned = overDistances(skew(u.mT().matmul(toU)), squares);
                inner = inner.add(turned.mul(s.unsqueeze(-2)));
                if (u.size(-2) > min) {
                    Tensor over = toU.div(s.unsqueeze(-2));
                    gradient = over.sub(u.matmul(u.mT().matmul(over))).matmul(vh);
                }
            }
            if (g[2] != null) {
                Tensor toVh = g[2].narrow(-2, 0, min);
                Tensor turned = overDistances(skew(vh.matmul(toVh.mT())), squares);
                inner = inner.add(turned.mul(s.unsqueeze(-1)));
                if (vh.size(-1) > min) {
                    Tensor over = toVh.div(s.unsqueeze(-1));
                    Tensor beside = u.matmul(over.sub(over.matmul(vh.mT()).matmul(vh)));
                    gradient = gradient == null ? beside : gradient.add(beside);
                }
            }
            Tensor within = u.matmul(inner).matmul(vh);
            return gradient == null ? within : within.add(gradient);
        }

        private static Tensor skew(Tensor matrices) {
            return matrices.sub(matrices.mT());
        }
    }
}
