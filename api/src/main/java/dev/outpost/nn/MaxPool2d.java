package dev.outpost.nn;

/**
 * Takes the largest element of each window of an image; see {@link Functional#maxPool2d(Tensor, long[], long[],
 * long[], long[], boolean)} (torch.nn.MaxPool2d).
 */
public final class MaxPool2d extends MaxPoolLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public MaxPool2d(long window) {
        this(window, window, 0, 1, false);
    }

    /**
     * @param ceil true to count a last window that reaches beyond the end
     */
    public MaxPool2d(long window, long stride, long padding, long dilation, boolean ceil) {
        super(
                windows(window, stride, padding, dilation, ceil),
                new long[] {window},
                new long[] {stride},
                new long[] {padding},
                new long[] {dilation},
                ceil,
                Functional::maxPool2d,
                Functional::maxPool2dWithIndices);
    }
}
