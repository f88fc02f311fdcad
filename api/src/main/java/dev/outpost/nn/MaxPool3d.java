package dev.outpost.nn;

import java.util.Arrays;

/** Takes the largest element of each window of a volume; see {@link Functional#maxPool3d} (torch.nn.MaxPool3d). */
public final class MaxPool3d extends MaxPoolLayer {
    /** Uses windows side by side: the stride is the window's size. */
    public MaxPool3d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0}, new long[] {1}, false);
    }

    /**
     * Creates a layer with all of its settings, one number for all dimensions or one for each.
     *
     * @param ceil true to count a last window that reaches beyond the end
     */
    public MaxPool3d(long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        super(
                windows(
                        Arrays.toString(window),
                        Arrays.toString(stride),
                        Arrays.toString(padding),
                        Arrays.toString(dilation),
                        ceil),
                window.clone(),
                stride.clone(),
                padding.clone(),
                dilation.clone(),
                ceil,
                Functional::maxPool3d,
                Functional::maxPool3dWithIndices);
    }
}
