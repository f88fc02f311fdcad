package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import java.util.Arrays;

/** A layer that takes the largest elements of windows at random places, which are drawn in each call. */
public abstract class FractionalMaxPoolLayer extends Module {
    private final int dims;
    private final long[] window;
    private final long[] output;
    private final double[] ratio;

    /** @param ratio empty if the output is given */
    FractionalMaxPoolLayer(int dims, long[] window, long[] output, double[] ratio) {
        this.dims = dims;
        this.window = window.clone();
        this.output = output.clone();
        this.ratio = ratio.clone();
    }

    /** Pools {@code [batch, channels, ...]}, or an input without the batch. */
    @Override
    public final Tensor forward(Tensor input) {
        return Scope.tidy(() -> forwardWithIndices(input).values());
    }

    /** Like {@link #forward}, but with the index of each element (PyTorch's return_indices). */
    public final ValuesAndIndices forwardWithIndices(Tensor input) {
        return Scope.tidy(
                () -> {
                    long batch = input.dim() == dims + 2 ? input.size(0) : 1;
                    Tensor samples = input.machine()
                            .rand(batch, input.size(-dims - 1), dims)
                            .to(input.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32);
                    return new FractionalPooling(dims, input, window, sizes(input)).max(samples);
                },
                ValuesAndIndices::tensors);
    }

    private long[] sizes(Tensor input) {
        if (ratio.length == 0) {
            return output;
        }
        long[] sizes = new long[dims];
        Arrays.setAll(sizes, dim -> (long) (input.size(dim - dims) * ratio[ratio.length == 1 ? 0 : dim]));
        return sizes;
    }

    @Override
    protected final String settings() {
        return "kernel_size=" + Arrays.toString(window)
                + (ratio.length == 0
                        ? ", output_size=" + Arrays.toString(output)
                        : ", output_ratio=" + Arrays.toString(ratio));
    }
}
