package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.linalg.Linalg;
import java.util.List;

/**
 * The rule of eigenvectors of any matrices (Boeddeker et al., "On the computation of complex-valued gradients", 2017, as PyTorch's
 * FunctionsManual.cpp has it). What arrives for a vector must not depend on its phase, which is any; of equal eigenvalues the
 * vectors have no gradient: it is not finite.
 */
public final class EigenvectorGradients {
    private EigenvectorGradients() {}

    /** Complex matrices as their parts. */
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

        /** The x of {@code this · x = right}, by real matrices twice as long. */
        Parts solve(Parts right) {
            Tensor left = Tensors.cat(
                    List.of(Tensors.cat(List.of(real, imag.neg()), -1), Tensors.cat(List.of(imag, real), -1)), -2);
            Tensor solved = Linalg.solve(left, Tensors.cat(List.of(right.real, right.imag), -2));
            long n = real.size(-1);
            return new Parts(solved.narrow(-2, 0, n), solved.narrow(-2, n, n));
        }
    }

    private static Tensor orZeros(Tensor gradient, Tensor output) {
        return gradient == null ? Gradients.zerosLike(output) : gradient;
    }

    /** The real part of {@code v⁻ᴴ (diag(g_l) + (vᴴ g_v - vᴴ v diag(re(vᴴ g_v))) / conj(l_j - l_i)) vᴴ}. */
    public static Tensor eig(OpNode node, Tensor[] g) {
        Tensor real = Gradient.output(node, 0);
        Tensor imag = Gradient.output(node, 1);
        Parts vectors = new Parts(Gradient.output(node, 2), Gradient.output(node, 3));
        Parts adjoint = vectors.mH();
        Tensor isDiagonal = real.machine().eye(real.size(-1)).ne(0);
        Parts inner =
                new Parts(orZeros(g[0], real).diagEmbed(), orZeros(g[1], imag).diagEmbed());
        if (g[2] != null || g[3] != null) {
            Parts arrived = adjoint.matmul(new Parts(orZeros(g[2], vectors.real()), orZeros(g[3], vectors.imag())));
            Tensor lengths = arrived.real().diagonal(0, -2, -1).unsqueeze(-2);
            Parts gram = adjoint.matmul(vectors);
            Parts free =
                    arrived.sub(new Parts(gram.real().mul(lengths), gram.imag().mul(lengths)));
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

    /** The difference between the value of a column and that of a row. */
    private static Tensor distances(Tensor values, Tensor isDiagonal, Number onDiagonal) {
        return values.unsqueeze(-2).sub(values.unsqueeze(-1)).maskedFill(isDiagonal, onDiagonal);
    }
}
