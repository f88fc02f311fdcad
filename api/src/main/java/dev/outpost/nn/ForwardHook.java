package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** Called with the output of a module; see {@link Module#registerForwardHook}. */
@FunctionalInterface
public interface ForwardHook {
    /** Returns another output, or null to keep it. */
    @Nullable
    Tensor after(Module module, Tensor input, Tensor output);
}
