package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import org.jspecify.annotations.Nullable;

/** A module that says how far predictions are from their targets. Shapes and formulas are those of {@link Functional}. */
public abstract class Loss extends Module {
    private final Reduction reduction;

    protected Loss(Reduction reduction) {
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
    }

    /** The reduction of the single losses. */
    protected final Reduction reduction() {
        return reduction;
    }

    /** The loss, a scalar unless nothing is reduced. */
    public abstract Tensor forward(Tensor input, Tensor target);

    /** A buffer of values that may be absent, as weights of classes are; null where they are. */
    final @Nullable Buffer buffer(String name, @Nullable Tensor values) {
        return values == null ? null : buffer(name, Buffer.of(values));
    }

    /** The values of a buffer that may be absent. */
    static @Nullable Tensor values(@Nullable Buffer buffer) {
        return buffer == null ? null : buffer.tensor();
    }
}
