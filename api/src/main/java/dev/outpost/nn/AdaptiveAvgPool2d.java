package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Means of as many windows as the output has places; see {@link Functional#adaptiveAvgPool2d} (torch.nn.AdaptiveAvgPool2d). */
public final class AdaptiveAvgPool2d extends Module {
    private final @Nullable Long[] output;

    /** @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's */
    public AdaptiveAvgPool2d(@Nullable Long... output) {
        this.output = output.clone();
    }

    /** {@code [batch, channels, ...]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool2d(input, output);
    }

    @Override
    protected String settings() {
        return "output_size=" + Arrays.toString(output);
    }
}
