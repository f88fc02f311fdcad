package dev.outpost.nn;

import dev.outpost.Tensor;

/** Divides by a power of the mean square of neighbouring channels (Krizhevsky et al., 2012; torch.nn.LocalResponseNorm). */
public final class LocalResponseNorm extends Module {
    private final long size;
    private final double alpha;
    private final double beta;
    private final double k;

    /** With alpha 1e-4, beta 0.75 and k 1. */
    public LocalResponseNorm(long size) {
        this(size, 1e-4, 0.75, 1);
    }

    /** Settings as {@link Functional#localResponseNorm} has them. */
    public LocalResponseNorm(long size, double alpha, double beta, double k) {
        this.size = size;
        this.alpha = alpha;
        this.beta = beta;
        this.k = k;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.localResponseNorm(input, size, alpha, beta, k);
    }

    @Override
    protected String settings() {
        return size + ", alpha=" + number(alpha) + ", beta=" + number(beta) + ", k=" + number(k);
    }
}
