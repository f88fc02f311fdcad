package dev.outpost.nn;

import dev.outpost.Tensor;

/** The windows of images as columns; see {@link Functional#unfold} (torch.nn.Unfold). */
public final class Unfold extends Module {
    private final long[] window;
    private final long[] dilation;
    private final long[] padding;
    private final long[] stride;

    /** Uses square windows with stride 1. */
    public Unfold(long window) {
        this(new long[] {window, window}, new long[] {1, 1}, new long[] {0, 0}, new long[] {1, 1});
    }

    /** Each pair is for height and width. */
    public Unfold(long[] window, long[] dilation, long[] padding, long[] stride) {
        this.window = window.clone();
        this.dilation = dilation.clone();
        this.padding = padding.clone();
        this.stride = stride.clone();
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.unfold(input, window, dilation, padding, stride);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + pair(window) + ", dilation=" + pair(dilation) + ", padding=" + pair(padding)
                + ", stride=" + pair(stride);
    }

    private static String pair(long[] numbers) {
        return "(" + numbers[0] + ", " + numbers[1] + ")";
    }
}
