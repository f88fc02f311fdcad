package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.linalg.Linalg;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Svd;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/**
 * The pseudo-inverse of a matrix (Moore and Penrose). Its gradient assumes a constant rank (Golub and Pereyra, 1973), so it does not
 * divide by distances between singular values.
 */
public final class PseudoInverse extends LibraryFunction {
    private final Spectrum spectrum;
    private final Tensor cutoff;

    private PseudoInverse(Spectrum spectrum, Tensor cutoff) {
        this.spectrum = spectrum;
        this.cutoff = cutoff;
    }

    /**
     * A singular value decomposition, or an eigendecomposition of a symmetric matrix.
     *
     * @param left the left vectors as columns
     * @param values the singular values, or the eigenvalues of a symmetric matrix
     * @param right the right vectors as rows
     */
    public record Spectrum(Tensor left, Tensor values, Tensor right) {
        static Spectrum of(Tensor matrices, boolean hermitian) {
            if (!hermitian) {
                Tensor[] svd = Dispatch.applyAll(new Svd(Svd.Form.REDUCED), matrices);
                return new Spectrum(svd[0], svd[1], svd[2]);
            }
            Tensor[] eigh = Dispatch.applyAll(new Eigh(true), matrices);
            return new Spectrum(eigh[1], eigh[0], eigh[1].mT());
        }

        Shape shape() {
            return Shape.of(left.size(-2), right.size(-1));
        }
    }

    public static Tensor rank(Tensor matrices, Tensor atol, Tensor rtol, boolean hermitian) {
        LinearSystems.requireMatrices("matrix_rank", matrices);
        Tensor source = matrices.detach();
        Tensor values = hermitian ? Linalg.eigvalsh(source).abs() : Linalg.svdvals(source);
        Shape shape = Shape.of(matrices.size(-2), matrices.size(-1));
        return values.gt(cutoff(values, shape, atol, rtol).unsqueeze(-1)).sum(-1);
    }

    /** Solves a least-squares problem with one decomposition. */
    public static Linalg.LeastSquares lstsq(Tensor a, Tensor b) {
        LinearSystems.requireMatrices("lstsq", a);
        boolean isVectors = b.dim() == a.dim() - 1;
        Tensor right = isVectors ? b.unsqueeze(-1) : b;
        LinearSystems.requireFitting("lstsq", a.mT(), right);
        Spectrum spectrum = GradMode.noGrad(() -> Spectrum.of(a, false));
        Tensor cutoff = cutoff(spectrum.values(), spectrum.shape(), null, null);
        Tensor solution = new PseudoInverse(spectrum, cutoff).apply(a)[0].matmul(right);
        Tensor residuals = a.matmul(solution).sub(right).square().sum(-2);
        Tensor rank = spectrum.values().gt(cutoff.unsqueeze(-1)).sum(-1);
        return new Linalg.LeastSquares(
                isVectors ? solution.squeeze(-1) : solution,
                isVectors ? residuals.squeeze(-1) : residuals,
                rank,
                spectrum.values());
    }

    /** Computes the pseudo-inverse. Null bounds stand for PyTorch's defaults. */
    public static Tensor of(Tensor matrices, Tensor atol, Tensor rtol, boolean hermitian) {
        if (hermitian) {
            LinearSystems.requireSquare("pinv", matrices);
        }
        LinearSystems.requireMatrices("pinv", matrices);
        Spectrum spectrum = GradMode.noGrad(() -> Spectrum.of(matrices, hermitian));
        Tensor cutoff = GradMode.noGrad(() -> cutoff(spectrum.values(), spectrum.shape(), atol, rtol));
        return new PseudoInverse(spectrum, cutoff).apply(matrices)[0];
    }

    /**
     * Returns the bound above which a singular value counts: the larger of {@code atol} and {@code rtol} times the largest value. If
     * both are null, rtol is the dtype's epsilon times the longer side.
     */
    public static Tensor cutoff(Tensor values, Shape shape, Tensor atol, Tensor rtol) {
        Tensor magnitudes = values.abs();
        Tensor largest = values.size(-1) == 0 ? magnitudes.sum(-1) : magnitudes.amax(-1);
        Tensor relative = rtol == null ? null : largest.mul(rtol);
        if (rtol == null && atol == null) {
            double step = values.dtype() == DType.FLOAT32 ? Math.ulp(1f) : Math.ulp(1.0);
            relative = largest.mul(step * Math.max(shape.size(0), shape.size(1)));
        }
        if (atol == null) {
            return relative;
        }
        return relative == null ? largest.mul(0).add(atol) : relative.maximum(atol);
    }

    private static Tensor pinv(Tensor matrices) {
        return of(matrices, null, null, false);
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        Tensor values = spectrum.values();
        Tensor isLarge = values.abs().gt(cutoff.unsqueeze(-1));
        Tensor inverses = Tensors.where(isLarge, values.reciprocal(), 0).to(values.dtype());
        Tensor result = spectrum.right()
                .mT()
                .mul(inverses.unsqueeze(-2))
                .matmul(spectrum.left().mT());
        context.save(inputs[0], result);
        return new Tensor[] {result};
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor a = context.saved(0);
        Tensor inverse = GradMode.isEnabled() ? pinv(a) : context.saved(1);
        Tensor g = gradients[0].mT();
        boolean isWide = a.size(-2) <= a.size(-1);
        return new Tensor[] {
            isWide ? wide(a, inverse, g) : wide(a.mT(), inverse.mT(), g.mT()).mT()
        };
    }

    /** Returns {@code -(p k)ᵀ + k pᵀ - a p k pᵀ + pᵀ p (gᵀ - k a)} with {@code k = gᵀ p}. */
    private static Tensor wide(Tensor a, Tensor inverse, Tensor g) {
        Tensor k = g.matmul(inverse);
        Tensor product = k.matmul(inverse.mT());
        Tensor within = product.sub(a.matmul(inverse).matmul(product))
                .sub(inverse.matmul(k).mT());
        return within.add(inverse.mT().matmul(inverse.matmul(g.sub(k.matmul(a)))));
    }
}
