package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Normalizes each sample to mean 0 and variance 1 over groups of channels (Wu and He, 2018; torch.nn.GroupNorm). */
public final class GroupNorm extends Module {
    private final int groups;
    private final long channels;
    private final double eps;
    private final @Nullable Parameter weight;
    private final @Nullable Parameter bias;

    /** Creates a layer with an eps of 1e-5, a weight and a bias. */
    public GroupNorm(int groups, long channels) {
        this(groups, channels, 1e-5, true);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param groups a divisor of the channels
     * @param channels the size of dimension 1
     * @param eps added to variances
     * @param affine true for a weight and a bias for each channel
     */
    public GroupNorm(int groups, long channels, double eps, boolean affine) {
        if (groups < 1 || channels % groups != 0) {
            throw new OpException(
                    "group_norm", "the channels must divide into groups, got " + groups + " and " + channels);
        }
        this.groups = groups;
        this.channels = channels;
        this.eps = eps;
        weight = affine ? parameter("weight", Init.ones(), channels) : null;
        bias = affine ? parameter("bias", Init.zeros(), channels) : null;
    }

    /** Normalizes {@code [batch, channels, …]}. */
    @Override
    public Tensor forward(Tensor input) {
        return weight == null
                ? Functional.groupNorm(input, groups, null, null, eps)
                : Functional.groupNorm(input, groups, weight.tensor(), bias.tensor(), eps);
    }

    @Override
    protected String settings() {
        return groups + ", " + channels + ", eps=" + number(eps) + ", affine=" + flag(weight != null) + ", bias="
                + flag(weight != null);
    }
}
