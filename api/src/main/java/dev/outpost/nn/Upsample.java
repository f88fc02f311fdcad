package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lines, images or volumes of another size; see {@link Functional#interpolate} (torch.nn.Upsample). */
public final class Upsample extends Module {
    private final long @Nullable [] size;
    private final double @Nullable [] scaleFactor;
    private final InterpolationMode mode;
    private final boolean alignCorners;

    private Upsample(
            long @Nullable [] size, double @Nullable [] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        this.size = size;
        this.scaleFactor = scaleFactor;
        this.mode = ArgumentChecks.required(mode, "the mode");
        this.alignCorners = alignCorners;
    }

    /** The element whose cell begins before the place, times as many along each dimension. */
    public Upsample(double scaleFactor) {
        this(null, new double[] {scaleFactor}, InterpolationMode.NEAREST, false);
    }

    /** @param scaleFactor how many times as large the result is, one number or one for each dimension */
    public static Upsample byFactor(InterpolationMode mode, boolean alignCorners, double... scaleFactor) {
        return new Upsample(null, scaleFactor.clone(), mode, alignCorners);
    }

    /** @param size of the result, one for all dimensions or one for each */
    public static Upsample toSize(InterpolationMode mode, boolean alignCorners, long... size) {
        return new Upsample(size.clone(), null, mode, alignCorners);
    }

    /** {@code [batch, channels, ...]} with one to three more dimensions. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.interpolate(input, size, scaleFactor, mode, alignCorners, false, false);
    }

    @Override
    protected String settings() {
        String what = size == null ? "scale_factor=" + Arrays.toString(scaleFactor) : "size=" + Arrays.toString(size);
        return what + ", mode=" + mode;
    }
}
