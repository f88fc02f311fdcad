package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Averages windows, one for each element of the output; see {@link Functional#adaptiveAvgPool1d}
 * (torch.nn.AdaptiveAvgPool1d).
 */
public final class AdaptiveAvgPool1d extends FunctionLayer {
    /**
     * @param output the sizes of the result; null keeps the input's size
     */
    public AdaptiveAvgPool1d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveAvgPool1d));
    }
}
