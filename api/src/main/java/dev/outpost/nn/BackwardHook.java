package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Called with the gradients that pass a module; see {@link Module#registerFullBackwardHook}. */
@FunctionalInterface
public interface BackwardHook {
    /** Returns another gradient of the input, or null to keep it. */
    @Nullable
    Tensor backward(Module module, Tensor inputGradient, Tensor outputGradient);
}
