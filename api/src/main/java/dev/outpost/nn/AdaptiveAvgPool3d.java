package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Averages windows, one for each element of the output; see {@link Functional#adaptiveAvgPool3d}
 * (torch.nn.AdaptiveAvgPool3d).
 */
public final class AdaptiveAvgPool3d extends FunctionLayer {
    /**
     * @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's size
     */
    public AdaptiveAvgPool3d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveAvgPool3d));
    }
}
