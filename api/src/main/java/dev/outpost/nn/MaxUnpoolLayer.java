package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A layer that puts the largest element of each window back to its place. */
public abstract class MaxUnpoolLayer extends Module {
    private final long[] window;
    private final long[] stride;
    private final long[] padding;
    private final Inverse unpooling;

    MaxUnpoolLayer(long[] window, long[] stride, long[] padding, Inverse unpooling) {
        this.window = window.clone();
        this.stride = stride.clone();
        this.padding = padding.clone();
        this.unpooling = unpooling;
    }

    @FunctionalInterface
    interface Inverse {
        Tensor of(Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long @Nullable [] output);
    }

    /**
     * Returns the unpooled tensor, in the smallest size from which pooling makes the size of the input.
     *
     * @param indices the indices of {@link MaxPoolLayer#forwardWithIndices}, with the shape of the input
     */
    public final Tensor forward(Tensor input, Tensor indices) {
        return unpooling.of(input, indices, window, stride, padding, null);
    }

    /** @param output the sizes of the result, with or without the sizes of batch and channels */
    public final Tensor forward(Tensor input, Tensor indices, long... output) {
        return unpooling.of(input, indices, window, stride, padding, output);
    }

    @Override
    protected final String settings() {
        return "kernel_size=" + Arrays.toString(window) + ", stride=" + Arrays.toString(stride) + ", padding="
                + Arrays.toString(padding);
    }
}
