package dev.outpost.internal.functions;

import dev.outpost.autograd.CustomFunction;

/** A function with a gradient of its own that the library is made of: what it makes on its way back ends there. */
public abstract class LibraryFunction extends CustomFunction {
    /** What graphs call it. */
    public String name() {
        return getClass().getSimpleName();
    }
}
