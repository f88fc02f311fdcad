package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;

/** The largest element of each window of a line; see {@link Functional#maxPool1d} (torch.nn.MaxPool1d). */
public final class MaxPool1d extends Module {
    private final long window;
    private final long stride;
    private final long padding;
    private final long dilation;
    private final boolean ceil;

    /** Windows side by side. */
    public MaxPool1d(long window) {
        this(window, window, 0, 1, false);
    }

    /** @param ceil whether a last window counts that reaches over the end */
    public MaxPool1d(long window, long stride, long padding, long dilation, boolean ceil) {
        this.window = window;
        this.stride = stride;
        this.padding = padding;
        this.dilation = dilation;
        this.ceil = ceil;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool1d(
                input, new long[] {window}, new long[] {stride}, new long[] {padding}, new long[] {dilation}, ceil);
    }

    /** As {@link #forward}, with where each was (PyTorch's return_indices). */
    public ValuesAndIndices forwardWithIndices(Tensor input) {
        return Functional.maxPool1dWithIndices(
                input, new long[] {window}, new long[] {stride}, new long[] {padding}, new long[] {dilation}, ceil);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding + ", dilation=" + dilation
                + ", ceil_mode=" + flag(ceil);
    }
}
