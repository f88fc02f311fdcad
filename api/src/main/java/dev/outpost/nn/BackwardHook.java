package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Sees the gradients that pass a module; see {@link Module#registerFullBackwardHook}. */
@FunctionalInterface
public interface BackwardHook {
    /** Another gradient of the input, or null to leave it. */
    @Nullable
    Tensor backward(Module module, Tensor inputGradient, Tensor outputGradient);
}
