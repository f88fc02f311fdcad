package dev.outpost;

import dev.outpost.client.program.HostStates;
import java.util.function.Supplier;

/** For code that programs are made of and that keeps state in Java: layers and optimizers. */
public final class Tracing {
    private Tracing() {}

    /**
     * Says that what is recorded depends on something in Java, such as whether a module is training. A trace in which it
     * was otherwise is not used, and the function is traced again. Nothing happens where no program is traced.
     *
     * @param key what it is; asked once for each
     * @param fact answers by {@code equals}
     */
    public static void assume(Object key, Supplier<?> fact) {
        HostStates.ofThread().assume(key, known -> fact.get());
    }

    /** Does something once, also while a program is traced: what is made here is no part of the program. */
    public static <T> T outside(Supplier<T> body) {
        return HostStates.ofThread().outside(body);
    }
}
