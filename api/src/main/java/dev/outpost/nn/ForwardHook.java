package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Sees what a module answers; see {@link Module#registerForwardHook}. */
@FunctionalInterface
public interface ForwardHook {
    /** Another output, or null to leave it. */
    @Nullable
    Tensor after(Module module, Tensor input, Tensor output);
}
