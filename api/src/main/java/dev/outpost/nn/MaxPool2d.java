package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;

/** {@link Functional#maxPool2d(Tensor, long[], long[], long[], long[], boolean)}. */
public final class MaxPool2d extends Module {
    private final long window;
    private final long stride;
    private final long padding;
    private final long dilation;
    private final boolean ceil;

    /** Windows side by side. */
    public MaxPool2d(long window) {
        this(window, window, 0, 1, false);
    }

    public MaxPool2d(long window, long stride, long padding, long dilation, boolean ceil) {
        this.window = window;
        this.stride = stride;
        this.padding = padding;
        this.dilation = dilation;
        this.ceil = ceil;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool2d(
                input, new long[] {window}, new long[] {stride}, new long[] {padding}, new long[] {dilation}, ceil);
    }

    /** As {@link #forward}, with where each was (PyTorch's return_indices). */
    public ValuesAndIndices forwardWithIndices(Tensor input) {
        return Functional.maxPool2dWithIndices(
                input, new long[] {window}, new long[] {stride}, new long[] {padding}, new long[] {dilation}, ceil);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding + ", dilation=" + dilation
                + ", ceil_mode=" + flag(ceil);
    }
}
