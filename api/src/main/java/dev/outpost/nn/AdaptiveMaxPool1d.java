package dev.outpost.nn;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The largest elements of as many windows as the output has places; see {@link Functional#adaptiveMaxPool1d} (torch.nn.AdaptiveMaxPool1d). */
public final class AdaptiveMaxPool1d extends MaxPoolLayer {
    /** @param output the sizes of the result; null keeps the input's */
    public AdaptiveMaxPool1d(@Nullable Long... output) {
        super(
                "output_size=" + Arrays.toString(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool1d),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool1dWithIndices));
    }
}
