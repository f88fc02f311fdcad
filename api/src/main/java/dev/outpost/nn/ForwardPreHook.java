package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Called with the input of a module; see {@link Module#registerForwardPreHook}. */
@FunctionalInterface
public interface ForwardPreHook {
    /** Returns another input, or null to keep it. */
    @Nullable
    Tensor before(Module module, Tensor input);
}
