package dev.outpost;

import dev.outpost.client.program.HostStates;
import java.util.function.Supplier;

/** Methods for layers and optimizers: code that runs inside programs and keeps state in Java. */
public final class Tracing {
    private Tracing() {}

    /**
     * Declares that the trace depends on a Java value, such as the training mode of a module. When the value differs
     * at a later call, that call does not use this trace, and the function is traced again. Does nothing if no
     * program is being traced.
     *
     * @param key identifies the value; a trace keeps only the first fact for each key
     * @param fact returns the value, which is compared by {@code equals}
     */
    public static void assume(Object key, Supplier<?> fact) {
        HostStates.ofThread().assume(key, known -> fact.get());
    }

    /** Runs the body once, outside of a trace. Tensors created in it are not part of the program. */
    public static <T> T outside(Supplier<T> body) {
        return HostStates.ofThread().outside(body);
    }
}
