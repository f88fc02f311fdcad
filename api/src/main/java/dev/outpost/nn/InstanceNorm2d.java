package dev.outpost.nn;

/**
 * {@link InstanceNorm} of images {@code [batch, channels, height, width]}, or of data without the batch dimension
 * (torch.nn.InstanceNorm2d).
 */
public final class InstanceNorm2d extends InstanceNorm {
    /** Uses an eps of 1e-5, without weight, bias and running statistics. */
    public InstanceNorm2d(long features) {
        this(features, 1e-5, 0.1, false, false);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param features the channels
     * @param eps added to variances
     * @param momentum the weight of a batch in the running statistics
     * @param affine true for a weight and a bias
     * @param trackRunningStats true to keep running statistics, which evaluation uses
     */
    public InstanceNorm2d(long features, double eps, double momentum, boolean affine, boolean trackRunningStats) {
        super(2, features, eps, momentum, affine, trackRunningStats);
    }
}
