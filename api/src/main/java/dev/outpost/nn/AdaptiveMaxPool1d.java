package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The largest elements of as many windows as the output has places; see {@link Functional#adaptiveMaxPool1d} (torch.nn.AdaptiveMaxPool1d). */
public final class AdaptiveMaxPool1d extends Module {
    private final @Nullable Long[] output;

    /** @param output the sizes of the result; null keeps the input's */
    public AdaptiveMaxPool1d(@Nullable Long... output) {
        this.output = output.clone();
    }

    /** {@code [batch, channels, ...]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.adaptiveMaxPool1d(input, output);
    }

    /** As {@link #forward}, with where each was (PyTorch's return_indices). */
    public ValuesAndIndices forwardWithIndices(Tensor input) {
        return Functional.adaptiveMaxPool1dWithIndices(input, output);
    }

    @Override
    protected String settings() {
        return "output_size=" + Arrays.toString(output);
    }
}
