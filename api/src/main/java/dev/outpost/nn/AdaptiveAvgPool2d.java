package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Averages windows, one for each element of the output; see {@link Functional#adaptiveAvgPool2d}
 * (torch.nn.AdaptiveAvgPool2d).
 */
public final class AdaptiveAvgPool2d extends FunctionLayer {
    /**
     * @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's size
     */
    public AdaptiveAvgPool2d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveAvgPool2d));
    }
}
