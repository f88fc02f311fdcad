package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;

/** Puts what was the largest of a window of an image back where it was; see {@link Functional#maxUnpool2d} (torch.nn.MaxUnpool2d). */
public final class MaxUnpool2d extends Module {
    private final long[] window;
    private final long[] stride;
    private final long[] padding;

    /** Windows that were side by side. */
    public MaxUnpool2d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0});
    }

    /** The settings of the pooling, one number for all dimensions or one for each. */
    public MaxUnpool2d(long[] window, long[] stride, long[] padding) {
        this.window = window.clone();
        this.stride = stride.clone();
        this.padding = padding.clone();
    }

    /**
     * The smallest result that was pooled.
     *
     * @param indices of {@link dev.outpost.nn.MaxPool2d#forwardWithIndices}, shaped as the input
     */
    public Tensor forward(Tensor input, Tensor indices) {
        return Functional.maxUnpool2d(input, indices, window, stride, padding, null);
    }

    /** @param output the sizes of the result, with or without those of batch and channels */
    public Tensor forward(Tensor input, Tensor indices, long... output) {
        return Functional.maxUnpool2d(input, indices, window, stride, padding, output);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + Arrays.toString(window) + ", stride=" + Arrays.toString(stride) + ", padding="
                + Arrays.toString(padding);
    }
}
