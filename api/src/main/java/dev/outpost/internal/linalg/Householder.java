package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.gradients.FactorGradients;
import dev.outpost.protocol.op.Qr;
import dev.outpost.types.OpException;

/**
 * Products of reflections {@code I - f v vᵀ}. All of them together are {@code I - V T Vᵀ} with a triangle {@code T = (D S + I)⁻¹ D},
 * where D has the factors and S is {@code Vᵀ V} above the diagonal (Joffrain and others, "Accumulating Householder
 * transformations, revisited", 2006).
 */
public final class Householder {
    private Householder() {}

    public static Tensor[] reflections(Tensor matrices) {
        return Dispatch.applyAll(new Qr(Qr.Form.REFLECTIONS), LinearSystems.requireMatrices("geqrf", matrices));
    }

    /** Computes the first columns of the product. */
    public static Tensor product(Tensor packed, Tensor factors) {
        require("householder_product", packed, factors);
        if (packed.numel() == 0) {
            // As in PyTorch, empty inputs get no gradient.
            return packed.zerosLike();
        }
        long columns = packed.size(-1);
        Tensor vectors = vectors(packed, factors);
        Tensor unit = packed.machine().eye(packed.size(-2), columns, packed.dtype());
        return unit.sub(
                reflected(vectors, factors, vectors.narrow(-2, 0, columns).mT(), false));
    }

    /** Multiplies other matrices from one side by the whole product of reflections, or by its transpose. */
    public static Tensor multiplied(Tensor packed, Tensor factors, Tensor other, boolean left, boolean transpose) {
        requireFactors("ormqr", packed, factors);
        LinearSystems.requireMatrices("ormqr", other);
        if (!left) {
            return multiplied(packed, factors, other.mT(), true, !transpose).mT();
        }
        boolean isFitting = other.size(-2) == packed.size(-2)
                && LinearSystems.batch(other, 2).equals(LinearSystems.batch(packed, 2));
        if (!isFitting) {
            throw new OpException(
                    "ormqr",
                    "as many matrices with as many rows are needed, got " + packed.shape() + " and " + other.shape());
        }
        if (factors.numel() == 0 || other.numel() == 0) {
            // Without reflections, or for an empty matrix, the result is a copy.
            return other.clone();
        }
        Tensor vectors = vectors(packed, factors);
        return other.sub(reflected(vectors, factors, vectors.mT().matmul(other), transpose));
    }

    private static void require(String op, Tensor packed, Tensor factors) {
        requireFactors(op, packed, factors);
        if (packed.size(-1) > packed.size(-2)) {
            throw new OpException(op, "no more columns than rows are possible, got " + packed.shape());
        }
    }

    private static void requireFactors(String op, Tensor packed, Tensor factors) {
        LinearSystems.requireMatrices(op, packed);
        boolean isFitting = factors.dim() == packed.dim() - 1
                && LinearSystems.batch(factors, 1).equals(LinearSystems.batch(packed, 2))
                && factors.size(-1) <= Math.min(packed.size(-1), packed.size(-2));
        if (!isFitting) {
            throw new OpException(
                    op,
                    "no more factors than rows and columns are possible, got " + packed.shape() + " and "
                            + factors.shape());
        }
    }

    /** Returns the vectors: ones on the diagonal, and the stored elements below it. */
    private static Tensor vectors(Tensor packed, Tensor factors) {
        return LinearSystems.unitLower(packed.narrow(-1, 0, factors.size(-1)));
    }

    /** Returns {@code V T x}, or {@code V Tᵀ x}. */
    private static Tensor reflected(Tensor vectors, Tensor factors, Tensor x, boolean transpose) {
        Tensor diagonal = factors.unsqueeze(-1);
        Tensor triangle = diagonal.mul(vectors.mT().matmul(vectors).triu(1));
        Tensor solved = transpose
                ? diagonal.mul(FactorGradients.solve(false, true, triangle.mT(), x))
                : FactorGradients.solve(true, true, triangle, diagonal.mul(x));
        return vectors.matmul(solved);
    }
}
