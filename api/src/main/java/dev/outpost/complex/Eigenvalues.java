package dev.outpost.complex;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.linalg.OrthogonalFactors;
import java.util.List;
import java.util.function.Function;

/** The complex eigenvalues of square matrices (torch.linalg.eig and eigvals). Thread-safe. */
public final class Eigenvalues {
    /**
     * Eigenvalues {@code [..., n]}, sorted by real part and then by imaginary part, and eigenvectors of length 1 as columns {@code
     * [..., n, n]}.
     */
    public record Eig(ComplexTensor eigenvalues, ComplexTensor eigenvectors) {}

    private Eigenvalues() {}

    /**
     * Computes eigenvalues and eigenvectors. Each vector is rotated so that its first element of nearly the largest magnitude is real
     * and positive. The loss must not depend on this choice, and the gradient of vectors does not exist if two eigenvalues are equal.
     * The engine {@code cuda} computes it on the host.
     *
     * @param matrices {@code [..., n, n]}, float32 or float64; if an element is not finite, reads of the results throw
     * @throws dev.outpost.types.OpException if they are not square
     */
    public static Eig eig(Tensor matrices) {
        List<Tensor> pairs = Scope.tidy(
                () -> {
                    Tensor[] parts = OrthogonalFactors.eig(matrices);
                    return List.of(
                            ComplexTensor.complex(parts[0], parts[1]).viewAsReal(),
                            ComplexTensor.complex(parts[2], parts[3]).viewAsReal());
                },
                Function.identity());
        return new Eig(ComplexTensor.viewAsComplex(pairs.get(0)), ComplexTensor.viewAsComplex(pairs.get(1)));
    }

    /**
     * Like {@link #eig(Tensor)}, but for complex matrices. The matrices are shifted so that all eigenvalues are above
     * the real axis. A real matrix of twice the size then has these eigenvalues and their conjugates, and its vectors
     * {@code (v, -i v)} contain the eigenvectors {@code v}.
     *
     * @param matrices {@code [..., n, n]}
     */
    public static Eig eig(ComplexTensor matrices) {
        List<Tensor> pairs = Scope.tidy(
                () -> {
                    Eig found = ComplexMatrices.eig(matrices);
                    return List.of(
                            found.eigenvalues().viewAsReal(),
                            found.eigenvectors().viewAsReal());
                },
                Function.identity());
        return new Eig(ComplexTensor.viewAsComplex(pairs.get(0)), ComplexTensor.viewAsComplex(pairs.get(1)));
    }

    /** Returns the eigenvalues of {@link #eig(ComplexTensor)} alone. */
    public static ComplexTensor eigvals(ComplexTensor matrices) {
        return ComplexTensor.viewAsComplex(
                Scope.tidy(() -> ComplexMatrices.eigvals(matrices).viewAsReal()));
    }

    /** Returns the eigenvalues of {@link #eig} alone. */
    public static ComplexTensor eigvals(Tensor matrices) {
        return ComplexTensor.viewAsComplex(Scope.tidy(() -> {
            Tensor[] parts = OrthogonalFactors.eigvals(matrices);
            return ComplexTensor.complex(parts[0], parts[1]).viewAsReal();
        }));
    }
}
