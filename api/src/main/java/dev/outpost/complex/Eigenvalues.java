package dev.outpost.complex;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.linalg.OrthogonalFactors;
import java.util.List;
import java.util.function.Function;

/** Eigenvalues of any square real matrices, which are complex (torch.linalg.eig and eigvals). Thread-safe. */
public final class Eigenvalues {
    /** By ascending real parts and then imaginary parts {@code [..., n]}, and eigenvectors of length 1 as columns {@code [..., n, n]}. */
    public record Eig(ComplexTensor eigenvalues, ComplexTensor eigenvectors) {}

    private Eigenvalues() {}

    /**
     * Eigenvalues and eigenvectors. Of a vector the first element that is nearly as large as its largest is real and positive. A gradient
     * that arrives for vectors must not depend on that choice, and there is none where two eigenvalues are the same. On the engine
     * {@code cuda} it runs on the host.
     *
     * @param matrices {@code [..., n, n]}, float32 or float64; what is not finite is told of where results are read
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
     * As {@link #eig(Tensor)}, of complex matrices. They are shifted until all eigenvalues are above the real axis. A real matrix of twice
     * the size has these eigenvalues and their conjugates, and its vectors {@code (v, -i v)} hold those of the matrices.
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

    /** The eigenvalues of {@link #eig(ComplexTensor)} alone. */
    public static ComplexTensor eigvals(ComplexTensor matrices) {
        return ComplexTensor.viewAsComplex(
                Scope.tidy(() -> ComplexMatrices.eigvals(matrices).viewAsReal()));
    }

    /** The eigenvalues of {@link #eig} alone. */
    public static ComplexTensor eigvals(Tensor matrices) {
        return ComplexTensor.viewAsComplex(Scope.tidy(() -> {
            Tensor[] parts = OrthogonalFactors.eigvals(matrices);
            return ComplexTensor.complex(parts[0], parts[1]).viewAsReal();
        }));
    }
}
