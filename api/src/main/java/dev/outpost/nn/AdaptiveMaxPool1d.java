package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Takes the largest element of each window; the output has one element for each window. See {@link
 * Functional#adaptiveMaxPool1d} (torch.nn.AdaptiveMaxPool1d).
 */
public final class AdaptiveMaxPool1d extends MaxPoolLayer {
    /**
     * @param output the sizes of the result; null keeps the input's size
     */
    public AdaptiveMaxPool1d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool1d),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool1dWithIndices));
    }
}
