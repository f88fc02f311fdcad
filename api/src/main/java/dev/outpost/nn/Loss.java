package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import org.jspecify.annotations.Nullable;

/** A module that measures the distance of predictions from their targets. See {@link Functional} for shapes and formulas. */
public abstract class Loss extends Module {
    private final Reduction reduction;

    protected Loss(Reduction reduction) {
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** Returns the reduction of the single losses. */
    protected final Reduction reduction() {
        return reduction;
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public abstract Tensor forward(Tensor input, Tensor target);

    /** Adds a buffer of values that may be absent, such as weights of classes. Returns null if they are absent. */
    final @Nullable Buffer buffer(String name, @Nullable Tensor values) {
        return values == null ? null : buffer(name, Buffer.of(values));
    }

    /** Returns the values of a buffer that may be absent. */
    static @Nullable Tensor values(@Nullable Buffer buffer) {
        return buffer == null ? null : buffer.tensor();
    }
}
