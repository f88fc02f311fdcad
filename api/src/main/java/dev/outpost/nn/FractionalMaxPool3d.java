package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import java.util.Arrays;

/** The largest elements of windows that lie at random, anew in each call; see {@link Functional#fractionalMaxPool3dWithIndices} (torch.nn.FractionalMaxPool3d). */
public final class FractionalMaxPool3d extends Module {
    private final long[] window;
    private final long[] output;
    private final double[] ratio;

    private FractionalMaxPool3d(long[] window, long[] output, double[] ratio) {
        this.window = window.clone();
        this.output = output.clone();
        this.ratio = ratio.clone();
    }

    /** With so many windows along each dimension. */
    public FractionalMaxPool3d(long[] window, long... output) {
        this(window, output, new double[0]);
    }

    /** @param ratio how long the result is as a part of the input, along each dimension, in (0, 1) */
    public static FractionalMaxPool3d byRatio(long[] window, double... ratio) {
        return new FractionalMaxPool3d(window, new long[0], ratio);
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
                    long batch = input.dim() == 5 ? input.size(0) : 1;
                    Tensor samples = input.machine()
                            .rand(batch, input.size(-4), 3)
                            .to(input.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32);
                    return Functional.fractionalMaxPool3dWithIndices(input, window, sizes(input), samples);
                },
                ValuesAndIndices::tensors);
    }

    private long[] sizes(Tensor input) {
        if (ratio.length == 0) {
            return output;
        }
        long[] sizes = new long[3];
        Arrays.setAll(sizes, dim -> (long) (input.size(dim - 3) * ratio[ratio.length == 1 ? 0 : dim]));
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
