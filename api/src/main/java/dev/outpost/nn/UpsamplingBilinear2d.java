package dev.outpost.nn;

import dev.outpost.Tensor;

/** Images of another size, by two neighbours along each dimension; the corners' centres stay where they are (torch.nn.UpsamplingBilinear2d). */
public final class UpsamplingBilinear2d extends Module {
    private final Upsample upsample;

    /** Times as high and as wide. */
    public UpsamplingBilinear2d(double scaleFactor) {
        upsample = Upsample.byFactor(InterpolationMode.LINEAR, true, scaleFactor);
    }

    /** Of that height and width. */
    public UpsamplingBilinear2d(long height, long width) {
        upsample = Upsample.toSize(InterpolationMode.LINEAR, true, height, width);
    }

    /** {@code [batch, channels, height, width]}. */
    @Override
    public Tensor forward(Tensor input) {
        return upsample.forward(input);
    }

    @Override
    protected String settings() {
        return upsample.settings();
    }
}
