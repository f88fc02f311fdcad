package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Means of as many windows as the output has places; see {@link Functional#adaptiveAvgPool1d} (torch.nn.AdaptiveAvgPool1d). */
public final class AdaptiveAvgPool1d extends Module {
    private final @Nullable Long[] output;

    /** @param output the sizes of the result; null keeps the input's */
    public AdaptiveAvgPool1d(@Nullable Long... output) {
        this.output = output.clone();
    }

    /** {@code [batch, channels, ...]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveAvgPool1d(input, output);
    }

    @Override
    protected String settings() {
        return "output_size=" + Arrays.toString(output);
    }
}
