package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import java.util.Arrays;

/** The largest elements of windows that lie at random, anew in each call; see {@link Functional#fractionalMaxPool2dWithIndices} (torch.nn.FractionalMaxPool2d). */
public final class FractionalMaxPool2d extends Module {
    private final long[] window;
    private final long[] output;
    private final double[] ratio;

    private FractionalMaxPool2d(long[] window, long[] output, double[] ratio) {
        this.window = window.clone();
        this.output = output.clone();
        this.ratio = ratio.clone();
    }

    /** With so many windows along each dimension. */
    public FractionalMaxPool2d(long[] window, long... output) {
        this(window, output, new double[0]);
    }

    /** @param ratio how long the result is as a part of the input, along each dimension, in (0, 1) */
    public static FractionalMaxPool2d byRatio(long[] window, double... ratio) {
        return new FractionalMaxPool2d(window, new long[0], ratio);
    }

    /** {@code [batch, channels, ...]}, or without the batch. */
    @Override
    public Tensor forward(Tensor input) {
        return Scope.tidy(() -> forwardWithIndices(input).values());
    }

    /** As {@link #forward}, with where each was (PyTorch's return_indices). */
    public ValuesAndIndices forwardWithIndices(Tensor input) {
        return Scope.tidy(
                () -> {
                    long batch = input.dim() == 4 ? input.size(0) : 1;
                    Tensor samples = input.machine()
                            .rand(batch, input.size(-3), 2)
                            .to(input.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32);
                    return Functional.fractionalMaxPool2dWithIndices(input, window, sizes(input), samples);
                },
                ValuesAndIndices::tensors);
    }

    private long[] sizes(Tensor input) {
        if (ratio.length == 0) {
            return output;
        }
        long[] sizes = new long[2];
        Arrays.setAll(sizes, dim -> (long) (input.size(dim - 2) * ratio[ratio.length == 1 ? 0 : dim]));
        return sizes;
    }

    @Override
    protected String settings() {
        return "kernel_size=" + Arrays.toString(window)
                + (ratio.length == 0
                        ? ", output_size=" + Arrays.toString(output)
                        : ", output_ratio=" + Arrays.toString(ratio));
    }
}
