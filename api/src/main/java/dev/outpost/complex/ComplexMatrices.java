package dev.outpost.complex;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.internal.linalg.OrthogonalFactors;
import dev.outpost.linalg.Linalg;
import java.util.List;

/** Computes functions of complex matrices by real matrices of twice the size, {@code [[a, -b], [b, a]]} for a + bi. */
final class ComplexMatrices {
    private ComplexMatrices() {}

    /** Returns the real matrices {@code [[a, -b], [b, a]]}. They act on vectors that hold the real parts above the imaginary parts. */
    private static Tensor real(ComplexTensor matrices) {
        Tensor a = matrices.real();
        Tensor b = matrices.imag();
        return Tensors.cat(List.of(Tensors.cat(List.of(a, b.neg()), -1), Tensors.cat(List.of(b, a), -1)), -2);
    }

    static ComplexTensor exp(ComplexTensor matrices) {
        LinearSystems.requireSquare("matrix_exp", matrices.real());
        long n = matrices.size(-1);
        Tensor left = Linalg.matrixExp(real(matrices)).narrow(-1, 0, n);
        return ComplexTensor.complex(left.narrow(-2, 0, n), left.narrow(-2, n, n));
    }

    static Eigenvalues.Eig eig(ComplexTensor matrices) {
        LinearSystems.requireSquare("eig", matrices.real());
        Tensor shift = shift(matrices);
        Tensor[] parts = OrthogonalFactors.eig(real(shifted(matrices, shift)));
        Tensor chosen = above(parts[1]);
        ComplexTensor values = values(parts, chosen, shift);
        ComplexTensor all = ComplexTensor.complex(parts[2], parts[3]);
        Tensor columns = chosen.unsqueeze(-2).expand(sizes(all, chosen));
        ComplexTensor both =
                ComplexTensor.complex(all.real().gather(-1, columns), all.imag().gather(-1, columns));
        long n = matrices.size(-1);
        ComplexTensor upper = both.narrow(-2, 0, n);
        ComplexTensor lower = both.narrow(-2, n, n);
        // x + i y of (v, -i v) is 2 v.
        ComplexTensor vectors = ComplexTensor.complex(
                upper.real().sub(lower.imag()), upper.imag().add(lower.real()));
        return new Eigenvalues.Eig(values, turned(vectors));
    }

    static ComplexTensor eigvals(ComplexTensor matrices) {
        LinearSystems.requireSquare("eigvals", matrices.real());
        Tensor shift = shift(matrices);
        Tensor[] parts = OrthogonalFactors.eigvals(real(shifted(matrices, shift)));
        return values(parts, above(parts[1]), shift);
    }

    private static long[] sizes(ComplexTensor vectors, Tensor chosen) {
        long[] sizes = vectors.shape().toArray();
        sizes[sizes.length - 1] = chosen.size(-1);
        return sizes;
    }

    /** Returns a bound above the absolute value of every eigenvalue, {@code [..., 1]}, from the sums of rows. */
    private static Tensor shift(ComplexTensor matrices) {
        if (matrices.size(-1) == 0) {
            return matrices.real().sum(new int[] {-1}, false).narrow(-1, 0, 0);
        }
        return GradMode.noGrad(() -> matrices.abs()
                .detach()
                .sum(-1)
                .amax(new int[] {-1}, true)
                .mul(1.25)
                .add(Double.MIN_NORMAL));
    }

    private static ComplexTensor shifted(ComplexTensor matrices, Tensor shift) {
        Tensor unit = LinearSystems.unit(matrices.real());
        Tensor imaginary =
                matrices.size(-1) == 0 ? matrices.imag() : matrices.imag().add(unit.mul(shift.unsqueeze(-1)));
        return ComplexTensor.complex(matrices.real(), imaginary);
    }

    /** Returns the indices of the half of the eigenvalues that is above the real axis, in order. */
    private static Tensor above(Tensor imaginary) {
        return imaginary.le(0).int64().sort(-1, false).indices().narrow(-1, 0, imaginary.size(-1) / 2);
    }

    private static ComplexTensor values(Tensor[] parts, Tensor chosen, Tensor shift) {
        Tensor imaginary = parts[1].gather(-1, chosen);
        return ComplexTensor.complex(
                parts[0].gather(-1, chosen), imaginary.numel() == 0 ? imaginary : imaginary.sub(shift));
    }

    /** Scales columns to length 1 and rotates each so that its first element of nearly the largest magnitude is real and positive. */
    private static ComplexTensor turned(ComplexTensor vectors) {
        if (vectors.shape().isEmpty()) {
            return vectors;
        }
        Tensor sizes = vectors.abs();
        Tensor first =
                sizes.ge(sizes.amax(new int[] {-2}, true).mul(0.7)).int64().argmax(-2, true);
        ComplexTensor leading = ComplexTensor.complex(
                vectors.real().gather(-2, first), vectors.imag().gather(-2, first));
        Tensor length = sizes.square().sum(new int[] {-2}, true).sqrt();
        ComplexTensor turn = leading.conj().mul(leading.abs().mul(length).reciprocal());
        return vectors.mul(turn);
    }
}
