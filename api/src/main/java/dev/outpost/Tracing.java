package dev.outpost;

import java.util.function.Supplier;

/** For code that programs are made of and that keeps state in Java: layers and optimizers. */
public final class Tracing {
    private Tracing() {}

    /** Whether this thread traces a program. */
    public static boolean isActive() {
        return Trace.current() != null;
    }

    /**
     * Says that what is recorded depends on something in Java, such as whether a module is training. A trace in which it
     * was otherwise is not used, and the function is traced again.
     *
     * @param key what it is; asked once for each
     * @param fact answers by {@code equals}
     */
    public static void assume(Object key, Supplier<?> fact) {
        Trace trace = Trace.current();
        if (trace != null) {
            trace.assume(key, fact);
        }
    }

    /** Does something once, also while a program is traced: what is made here is no part of the program. */
    public static <T> T outside(Supplier<T> body) {
        Trace trace = Trace.current();
        return trace == null ? body.get() : trace.outside(body);
    }
}
