package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Means of as many windows as the output has places; see {@link Functional#adaptiveAvgPool3d} (torch.nn.AdaptiveAvgPool3d). */
public final class AdaptiveAvgPool3d extends Module {
    private final @Nullable Long[] output;

    /** @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's */
    public AdaptiveAvgPool3d(@Nullable Long... output) {
        this.output = output.clone();
    }

    /** {@code [batch, channels, ...]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool3d(input, output);
    }

    @Override
    protected String settings() {
        return "output_size=" + Arrays.toString(output);
    }
}
