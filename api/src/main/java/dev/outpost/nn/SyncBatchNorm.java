package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * A {@link BatchNorm} of a batch of any number of dimensions (torch.nn.SyncBatchNorm). In PyTorch it gathers the statistics of all
 * processes. Here a program sees a batch on several machines as one tensor, so that any batch norm has the statistics of the whole batch.
 * This class has PyTorch's name, and accepts every rank from 2 up.
 */
public final class SyncBatchNorm extends BatchNorm {
    public SyncBatchNorm(long features) {
        this(features, DEFAULT_EPS, DEFAULT_MOMENTUM, true, true);
    }

    /** Same as {@link BatchNorm2d#BatchNorm2d(long, double, Double, boolean, boolean)}. */
    public SyncBatchNorm(
            long features, double eps, @Nullable Double momentum, boolean affine, boolean trackRunningStats) {
        super(features, eps, momentum, affine, trackRunningStats);
    }

    @Override
    String shapes(long size) {
        return "[batch, " + size + ", …]";
    }

    @Override
    boolean isRank(int rank) {
        return rank >= 2;
    }
}
