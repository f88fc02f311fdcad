package dev.outpost.nn;

import dev.outpost.Tensor;

/** {@link Functional#avgPool2d(Tensor, long[], long[], long[], boolean, boolean, Long)}; padding counts. */
public final class AvgPool2d extends Module {
    private final long window;
    private final long stride;
    private final long padding;

    /** Windows side by side. */
    public AvgPool2d(long window) {
        this(window, window, 0);
    }

    public AvgPool2d(long window, long stride, long padding) {
        this.window = window;
        this.stride = stride;
        this.padding = padding;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool2d(
                input, new long[] {window}, new long[] {stride}, new long[] {padding}, false, true, null);
    }

    @Override
    protected String settings() {
        return "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding;
    }
}
