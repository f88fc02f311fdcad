package dev.outpost.nn;

/**
 * Puts the largest element of each window of a line back at its place; see {@link Functional#maxUnpool1d}
 * (torch.nn.MaxUnpool1d).
 */
public final class MaxUnpool1d extends MaxUnpoolLayer {
    /** Creates a layer for windows that were side by side. */
    public MaxUnpool1d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0});
    }

    /** Creates a layer with the settings of the pooling, one number for all dimensions or one for each. */
    public MaxUnpool1d(long[] window, long[] stride, long[] padding) {
        super(window, stride, padding, Functional::maxUnpool1d);
    }
}
