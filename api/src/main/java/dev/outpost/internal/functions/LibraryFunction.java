package dev.outpost.internal.functions;

import dev.outpost.autograd.CustomFunction;

/**
 * A custom function of the library itself. The tensors that its backward creates are closed when backward returns,
 * because the function keeps none of them.
 */
public abstract class LibraryFunction extends CustomFunction {
    /** Returns the name in printed graphs. */
    public String name() {
        return getClass().getSimpleName();
    }
}
