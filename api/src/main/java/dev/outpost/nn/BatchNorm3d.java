package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/** A {@link BatchNorm} of {@code [batch, features, depth, height, width]} (torch.nn.BatchNorm3d). */
public final class BatchNorm3d extends BatchNorm {
    /** Creates a layer with a weight, a bias, running statistics, an eps of 1e-5 and a momentum of 0.1. */
    public BatchNorm3d(long features) {
        this(features, DEFAULT_EPS, DEFAULT_MOMENTUM);
    }

    /** @param momentum the weight of a batch in the running statistics */
    public BatchNorm3d(long features, double eps, double momentum) {
        this(features, eps, momentum, true, true);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param features the size of dimension 1
     * @param eps added to variances
     * @param momentum the weight of a batch in the running statistics; null for the mean of all batches
     * @param affine true for a weight and a bias
     * @param trackRunningStats true to keep running statistics; without them, evaluation also uses the statistics of the batch
     */
    public BatchNorm3d(
            long features, double eps, @Nullable Double momentum, boolean affine, boolean trackRunningStats) {
        super(features, eps, momentum, affine, trackRunningStats);
    }

    @Override
    String shapes(long size) {
        return "[batch, " + size + ", depth, height, width]";
    }

    @Override
    boolean isRank(int rank) {
        return rank == 5;
    }
}
