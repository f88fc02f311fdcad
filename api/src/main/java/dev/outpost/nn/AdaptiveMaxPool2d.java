package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Takes the largest element of each window; the output has one element for each window. See {@link
 * Functional#adaptiveMaxPool2d} (torch.nn.AdaptiveMaxPool2d).
 */
public final class AdaptiveMaxPool2d extends MaxPoolLayer {
    /**
     * @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's size
     */
    public AdaptiveMaxPool2d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool2d),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool2dWithIndices));
    }
}
