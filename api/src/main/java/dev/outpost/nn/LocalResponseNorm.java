package dev.outpost.nn;

/** Divides by a power of the mean square of neighbouring channels (Krizhevsky et al., 2012; torch.nn.LocalResponseNorm). */
public final class LocalResponseNorm extends FunctionLayer {
    /** Uses alpha 1e-4, beta 0.75 and k 1. */
    public LocalResponseNorm(long size) {
        this(size, 1e-4, 0.75, 1);
    }

    /** Uses the settings of {@link Functional#localResponseNorm}. */
    public LocalResponseNorm(long size, double alpha, double beta, double k) {
        super(
                size + ", alpha=" + number(alpha) + ", beta=" + number(beta) + ", k=" + number(k),
                input -> Functional.localResponseNorm(input, size, alpha, beta, k));
    }
}
