package dev.outpost.nn;

/** {@link Functional#maxPool2d(Tensor, long[], long[], long[], long[], boolean)}. */
public final class MaxPool2d extends MaxPoolLayer {
    /** Windows side by side. */
    public MaxPool2d(long window) {
        this(window, window, 0, 1, false);
    }

    /** @param ceil whether a last window counts that reaches over the end */
    public MaxPool2d(long window, long stride, long padding, long dilation, boolean ceil) {
        super(
                windows(window, stride, padding, dilation, ceil),
                input -> Functional.maxPool2dWithIndices(
                        input,
                        new long[] {window},
                        new long[] {stride},
                        new long[] {padding},
                        new long[] {dilation},
                        ceil));
    }
}
