package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/**
 * Takes the largest element of each window; the output has one element for each window. See {@link
 * Functional#adaptiveMaxPool3d} (torch.nn.AdaptiveMaxPool3d).
 */
public final class AdaptiveMaxPool3d extends MaxPoolLayer {
    /**
     * @param output the sizes of the result, one for all dimensions or one for each; null keeps the input's size
     */
    public AdaptiveMaxPool3d(@Nullable Long... output) {
        super(
                "output_size=" + ModulePrinter.sizes(output),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool3d),
                AdaptivePooling.toSizes(output, Functional::adaptiveMaxPool3dWithIndices));
    }
}
