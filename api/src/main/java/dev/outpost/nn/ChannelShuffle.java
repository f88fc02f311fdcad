package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** Takes a channel of each group in turn (Zhang et al., 2018; torch.nn.ChannelShuffle). */
public final class ChannelShuffle extends Module {
    private final int groups;

    /** @param groups a divisor of the channels */
    public ChannelShuffle(int groups) {
        this.groups = groups;
    }

    /** Shuffles the channels of {@code [batch, channels, …]}, with at least one more dimension. */
    @Override
    public Tensor forward(Tensor input) {
        if (input.dim() < 3 || groups < 1 || input.size(1) % groups != 0) {
            throw new OpException(
                    "channel_shuffle", "the channels must divide into groups, got " + groups + " and " + input.shape());
        }
        return Scope.tidy(() -> input.unflatten(1, groups, input.size(1) / groups)
                .transpose(1, 2)
                .reshape(input.shape()));
    }

    @Override
    protected String settings() {
        return "groups=" + groups;
    }
}
