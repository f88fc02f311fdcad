package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Sees what a module is called with; see {@link Module#registerForwardPreHook}. */
@FunctionalInterface
public interface ForwardPreHook {
    /** Another input, or null to leave it. */
    @Nullable
    Tensor before(Module module, Tensor input);
}
