package dev.outpost.models.architecture;

import dev.outpost.Tensor;

/**
 * A layer that computes x · weightᵀ and is no {@link dev.outpost.nn.Linear}, so that adapters can be put on it: one whose weight is
 * stored the other way round, or in fewer bits.
 */
public interface AdaptableLayer {
    long inFeatures();

    long outFeatures();

    /** Whether the weight is stored as {@code [inFeatures, outFeatures]}. */
    boolean isTransposed();

    /**
     * Adds to the weight, for good; refused where the weight has too few bits to be changed.
     *
     * @param change {@code [outFeatures, inFeatures]}
     */
    void addToWeight(Tensor change);
}
