package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import java.util.function.Function;

/** A layer that takes the largest element of each window. */
public abstract class MaxPoolLayer extends Module {
    private final String settings;
    private final Function<Tensor, Tensor> values;
    private final Function<Tensor, ValuesAndIndices> valuesAndIndices;

    /** @param settings the text of the settings, as PyTorch prints it */
    MaxPoolLayer(
            String settings, Function<Tensor, Tensor> values, Function<Tensor, ValuesAndIndices> valuesAndIndices) {
        this.settings = settings;
        this.values = values;
        this.valuesAndIndices = valuesAndIndices;
    }

    /** Creates a layer of sliding windows. */
    MaxPoolLayer(
            String settings,
            long[] window,
            long[] stride,
            long[] padding,
            long[] dilation,
            boolean ceil,
            Pooling<Tensor> values,
            Pooling<ValuesAndIndices> valuesAndIndices) {
        this(
                settings,
                input -> values.of(input, window, stride, padding, dilation, ceil),
                input -> valuesAndIndices.of(input, window, stride, padding, dilation, ceil));
    }

    @FunctionalInterface
    interface Pooling<R> {
        R of(Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil);
    }

    /** Returns the text of the settings of sliding windows. */
    static String windows(Object window, Object stride, Object padding, Object dilation, boolean ceil) {
        return "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding + ", dilation=" + dilation
                + ", ceil_mode=" + flag(ceil);
    }

    /** Pools {@code [batch, channels, ...]}, or an input without the batch. */
    @Override
    public final Tensor forward(Tensor input) {
        return values.apply(input);
    }

    /** Like {@link #forward}, but with the index of each element (PyTorch's return_indices). */
    public final ValuesAndIndices forwardWithIndices(Tensor input) {
        return valuesAndIndices.apply(input);
    }

    @Override
    protected final String settings() {
        return settings;
    }
}
