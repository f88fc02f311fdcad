package dev.outpost.nn;

/** Computes the mean of each window of a line; see {@link Functional#avgPool1d} (torch.nn.AvgPool1d). */
public final class AvgPool1d extends FunctionLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public AvgPool1d(long window) {
        this(window, window, 0, false, true);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param ceil true to count a last window that reaches beyond the end
     * @param countsPadding true to include padding in means
     */
    public AvgPool1d(long window, long stride, long padding, boolean ceil, boolean countsPadding) {
        super(
                "kernel_size=(" + window + ",), stride=(" + stride + ",), padding=(" + padding + ",)",
                input -> Functional.avgPool1d(
                        input, new long[] {window}, new long[] {stride}, new long[] {padding}, ceil, countsPadding));
    }
}
