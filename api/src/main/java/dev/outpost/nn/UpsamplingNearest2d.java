package dev.outpost.nn;

import dev.outpost.Tensor;

/** Images of another size, of the elements whose cells begin before the places (torch.nn.UpsamplingNearest2d). */
public final class UpsamplingNearest2d extends Module {
    private final Upsample upsample;

    /** Times as high and as wide. */
    public UpsamplingNearest2d(double scaleFactor) {
        upsample = Upsample.byFactor(InterpolationMode.NEAREST, false, scaleFactor);
    }

    /** Of that height and width. */
    public UpsamplingNearest2d(long height, long width) {
        upsample = Upsample.toSize(InterpolationMode.NEAREST, false, height, width);
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
