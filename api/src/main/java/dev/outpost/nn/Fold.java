package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;

/** Sums columns of windows into images; see {@link Functional#fold} (torch.nn.Fold). */
public final class Fold extends Module {
    private final long[] output;
    private final long[] window;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /** Uses windows with stride 1. */
    public Fold(long[] output, long window) {
        this(output, new long[] {window, window}, new long[] {1, 1}, new long[] {0, 0}, new long[] {1, 1});
    }

    /** Each pair is for height and width. */
    public Fold(long[] output, long[] window, long[] dilation, long[] padding, long[] stride) {
        this.output = output.clone();
        this.window = window.clone();
        this.dilation = dilation.clone();
        this.padding = padding.clone();
        this.stride = stride.clone();
    }

    /** Folds {@code [batch, channels · window, windows]}, or an input without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.fold(input, output, window, dilation, padding, stride);
    }

    @Override
    protected String settings() {
        return "output_size=" + Arrays.toString(output) + ", kernel_size=" + Arrays.toString(window) + ", dilation="
                + Arrays.toString(dilation) + ", padding=" + Arrays.toString(padding) + ", stride="
                + Arrays.toString(stride);
    }
}
