package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A layer that puts the largest element of each window back to its place. */
public abstract class MaxUnpoolLayer extends Module {
    private final int dims;
    private final long[] window;
    private final long[] stride;
    private final long[] padding;

    MaxUnpoolLayer(int dims, long[] window, long[] stride, long[] padding) {
        this.dims = dims;
        this.window = window.clone();
        this.stride = stride.clone();
        this.padding = padding.clone();
    }

    /**
     * Returns the unpooled tensor, in the smallest size from which pooling makes the size of the input.
     *
     * @param indices the indices of {@link MaxPoolLayer#forwardWithIndices}, with the shape of the input
     */
    public final Tensor forward(Tensor input, Tensor indices) {
        return unpooled(input, indices, null);
    }

    /** @param output the sizes of the result, with or without the sizes of batch and channels */
    public final Tensor forward(Tensor input, Tensor indices, long... output) {
        return unpooled(input, indices, output);
    }

    private Tensor unpooled(Tensor input, Tensor indices, long @Nullable [] output) {
        return Scope.tidy(() -> new Unpooling(dims, input, indices).apply(window, stride, padding, output));
    }

    @Override
    protected final String settings() {
        return "kernel_size=" + Arrays.toString(window) + ", stride=" + Arrays.toString(stride) + ", padding="
                + Arrays.toString(padding);
    }
}
