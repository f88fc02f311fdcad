package dev.outpost.nn;

import dev.outpost.Tensor;

/** Computes {@link Functional#cosineSimilarity(Tensor, Tensor, int, double)} (torch.nn.CosineSimilarity). */
public final class CosineSimilarity extends Module {
    private final int dim;
    private final double eps;

    /** Uses dimension 1, and an eps of 1e-8. */
    public CosineSimilarity() {
        this(1, 1e-8);
    }

    /** @param eps the lower bound of the product of norms */
    public CosineSimilarity(int dim, double eps) {
        this.dim = dim;
        this.eps = eps;
    }

    /** Returns the similarity, without the dimension. */
    public Tensor forward(Tensor first, Tensor second) {
        return Functional.cosineSimilarity(first, second, dim, eps);
    }
}
