package dev.outpost.internal.functions;

import dev.outpost.autograd.CustomFunction;

/** A custom function of the library itself. The tensors that its backward creates are closed after it, because it keeps none. */
public abstract class LibraryFunction extends CustomFunction {
    /** The name in printed graphs. */
    public String name() {
        return getClass().getSimpleName();
    }
}
