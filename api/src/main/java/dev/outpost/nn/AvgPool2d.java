package dev.outpost.nn;

/**
 * Computes the mean of each window of an image, with padding counted as zeros; see {@link
 * Functional#avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)} (torch.nn.AvgPool2d).
 */
public final class AvgPool2d extends FunctionLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public AvgPool2d(long window) {
        this(window, window, 0);
    }

    public AvgPool2d(long window, long stride, long padding) {
        super(
                "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding,
                input -> Functional.avgPool2d(
                        input, new long[] {window}, new long[] {stride}, new long[] {padding}, false, true, null));
    }
}
