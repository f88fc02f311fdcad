package dev.outpost.nn;

/**
 * Puts the largest element of each window of an image back at its place; see {@link Functional#maxUnpool2d}
 * (torch.nn.MaxUnpool2d).
 */
public final class MaxUnpool2d extends MaxUnpoolLayer {
    /** Creates a layer for windows that were side by side. */
    public MaxUnpool2d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0});
    }

    /** Creates a layer with the settings of the pooling, one number for all dimensions or one for each. */
    public MaxUnpool2d(long[] window, long[] stride, long[] padding) {
        super(window, stride, padding, Functional::maxUnpool2d);
    }
}
