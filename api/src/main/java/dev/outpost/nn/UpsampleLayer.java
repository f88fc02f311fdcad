package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A layer that resizes lines, images or volumes. */
public abstract class UpsampleLayer extends Module {
    private final long @Nullable [] size;
    private final double @Nullable [] scaleFactor;
    private final InterpolationMode mode;
    private final boolean alignCorners;

    UpsampleLayer(
            long @Nullable [] size, double @Nullable [] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        this.size = size;
        this.scaleFactor = scaleFactor;
        this.mode = ArgumentChecks.required(mode, "the mode");
        this.alignCorners = alignCorners;
    }

    /** Resizes {@code [batch, channels, ...]} with one to three more dimensions. */
    @Override
    public final Tensor forward(Tensor input) {
        return Functional.interpolate(input, size, scaleFactor, mode, alignCorners, false, false);
    }

    @Override
    protected final String settings() {
        String what = size == null ? "scale_factor=" + Arrays.toString(scaleFactor) : "size=" + Arrays.toString(size);
        return what + ", mode=" + mode;
    }
}
