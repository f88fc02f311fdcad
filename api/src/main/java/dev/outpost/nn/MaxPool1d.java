package dev.outpost.nn;

/** Takes the largest element of each window of a line; see {@link Functional#maxPool1d} (torch.nn.MaxPool1d). */
public final class MaxPool1d extends MaxPoolLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public MaxPool1d(long window) {
        this(window, window, 0, 1, false);
    }

    /**
     * @param ceil true to count a last window that reaches beyond the end
     */
    public MaxPool1d(long window, long stride, long padding, long dilation, boolean ceil) {
        super(
                windows(window, stride, padding, dilation, ceil),
                new long[] {window},
                new long[] {stride},
                new long[] {padding},
                new long[] {dilation},
                ceil,
                Functional::maxPool1d,
                Functional::maxPool1dWithIndices);
    }
}
