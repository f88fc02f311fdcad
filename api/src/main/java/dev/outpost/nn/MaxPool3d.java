package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import java.util.Arrays;

/** The largest element of each window of a volume; see {@link Functional#maxPool3d} (torch.nn.MaxPool3d). */
public final class MaxPool3d extends Module {
    private final long[] window;
    private final long[] stride;
    private final long[] padding;
    private final long[] dilation;
    private final boolean ceil;

    /** Windows side by side. */
    public MaxPool3d(long window) {
        this(new long[] {window}, new long[] {window}, new long[] {0}, new long[] {1}, false);
    }

    /**
     * A layer with all of its settings, one number for all dimensions or one for each.
     *
     * @param ceil whether a last window counts that reaches over the end
     */
    public MaxPool3d(long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        this.window = window.clone();
        this.stride = stride.clone();
        this.padding = padding.clone();
        this.dilation = dilation.clone();
        this.ceil = ceil;
    }

    /** {@code [batch, channels, depth, height, width]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool3d(input, window, stride, padding, dilation, ceil);
    }

    /** As {@link #forward}, with where in the volume each was (PyTorch's return_indices). */
    public ValuesAndIndices forwardWithIndices(Tensor input) {
        return Functional.maxPool3dWithIndices(input, window, stride, padding, dilation, ceil);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + Arrays.toString(window) + ", stride=" + Arrays.toString(stride) + ", padding="
                + Arrays.toString(padding) + ", dilation=" + Arrays.toString(dilation) + ", ceil_mode="
                + flag(ceil);
    }
}
