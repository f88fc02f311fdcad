package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;

/** A layer that takes the largest element of each window. */
public abstract class MaxPoolLayer extends Module {
    private final String settings;
    private final Pooling pooling;

    /** @param settings the text of the settings, as PyTorch prints it */
    MaxPoolLayer(String settings, Pooling pooling) {
        this.settings = settings;
        this.pooling = pooling;
    }

    @FunctionalInterface
    interface Pooling {
        ValuesAndIndices of(Tensor input);
    }

    /** Returns the text of the settings of sliding windows. */
    static String windows(Object window, Object stride, Object padding, Object dilation, boolean ceil) {
        return "kernel_size=" + window + ", stride=" + stride + ", padding=" + padding + ", dilation=" + dilation
                + ", ceil_mode=" + flag(ceil);
    }

    /** Pools {@code [batch, channels, ...]}, or an input without the batch. */
    @Override
    public final Tensor forward(Tensor input) {
        return Scope.tidy(() -> forwardWithIndices(input).values());
    }

    /** As {@link #forward}, with the index of each element (PyTorch's return_indices). */
    public final ValuesAndIndices forwardWithIndices(Tensor input) {
        return pooling.of(input);
    }

    @Override
    protected final String settings() {
        return settings;
    }
}
