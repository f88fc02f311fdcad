package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes the mean of each window of a volume; see {@link Functional#avgPool3d} (torch.nn.AvgPool3d). */
public final class AvgPool3d extends Module {
    private final long[] window;
    private final long[] stride;
    private final long[] padding;
    private final boolean ceil;
    private final boolean countsPadding;
    private final @Nullable Long divisor;

    /** Uses windows side by side: the stride is the window's size. */
    public AvgPool3d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0}, false, true, null);
    }

    /**
     * Creates a layer with all of its settings, one number for all dimensions or one for each.
     *
     * @param ceil true to count a last window that reaches beyond the end
     * @param countsPadding true to include padding in means
     * @param divisor the divisor of sums, or null for the number of elements
     */
    public AvgPool3d(
            long[] window, long[] stride, long[] padding, boolean ceil, boolean countsPadding, @Nullable Long divisor) {
        this.window = window.clone();
        this.stride = stride.clone();
        this.padding = padding.clone();
        this.ceil = ceil;
        this.countsPadding = countsPadding;
        this.divisor = divisor;
    }

    /** Pools {@code [batch, channels, depth, height, width]}, or an input without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool3d(input, window, stride, padding, ceil, countsPadding, divisor);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + Arrays.toString(window) + ", stride=" + Arrays.toString(stride) + ", padding="
                + Arrays.toString(padding);
    }
}
