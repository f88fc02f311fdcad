package dev.outpost.models.architecture;

import dev.outpost.Tensor;

/**
 * A layer that can have adapters. It computes x · weightᵀ but is not a {@link dev.outpost.nn.Linear}, because its
 * weight is stored transposed or quantized.
 */
public interface AdaptableLayer {
    long inFeatures();

    long outFeatures();

    /** True if the weight is stored as {@code [inFeatures, outFeatures]}. */
    boolean isTransposed();

    /**
     * Adds to the weight permanently. Fails if the weight is quantized.
     *
     * @param change {@code [outFeatures, inFeatures]}
     */
    void addToWeight(Tensor change);
}
