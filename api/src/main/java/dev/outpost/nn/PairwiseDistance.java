package dev.outpost.nn;

import dev.outpost.Tensor;

/**
 * Computes {@link Functional#pairwiseDistance(Tensor, Tensor, double, double, boolean)} (torch.nn.PairwiseDistance).
 */
public final class PairwiseDistance extends Module {
    private final double p;
    private final double eps;
    private final boolean keepDim;

    /** Uses the Euclidean norm, and an eps of 1e-6. */
    public PairwiseDistance() {
        this(2, 1e-6, false);
    }

    /**
     * Creates a distance with all of its settings.
     *
     * @param p the order of the norm
     * @param eps added to differences
     * @param keepDim true if the last dimension stays, with size 1
     */
    public PairwiseDistance(double p, double eps, boolean keepDim) {
        this.p = p;
        this.eps = eps;
        this.keepDim = keepDim;
    }

    /** Returns the distance along the last dimension. */
    public Tensor forward(Tensor first, Tensor second) {
        return Functional.pairwiseDistance(first, second, p, eps, keepDim);
    }
}
