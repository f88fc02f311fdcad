package dev.outpost.models;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Handles the signals TERM and INT, which ask a process to end. The handler runs before the JVM begins to shut down,
 * while machines can still be reached. Only the package {@code sun.misc} can do this. It is called by reflection,
 * because compilers warn about it.
 */
public final class EndSignals implements AutoCloseable {
    private static final List<String> NAMES = List.of("TERM", "INT");

    private final Deque<Runnable> undone = new ArrayDeque<>();

    private EndSignals() {}

    /**
     * Handles the signals until the result is closed.
     *
     * @param ended receives the signal's number
     */
    public static EndSignals handle(IntConsumer ended) {
        EndSignals handled = new EndSignals();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler toEnded = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    ended.accept((int) signal.getMethod("getNumber").invoke(arguments[0]));
                    yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "EndSignals";
            };
            Object made = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, toEnded);
            for (String name : NAMES) {
                handled.replace(signal, handler, name, made);
            }
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("signals cannot be handled on this Java", failure);
        }
        return handled;
    }

    private void replace(Class<?> signal, Class<?> handler, String name, Object made)
            throws ReflectiveOperationException {
        Object named = signal.getConstructor(String.class).newInstance(name);
        Object before = signal.getMethod("handle", signal, handler).invoke(null, named, made);
        undone.push(() -> {
            try {
                signal.getMethod("handle", signal, handler).invoke(null, named, before);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
    }

    /** Restores the earlier handlers. */
    @Override
    public void close() {
        while (!undone.isEmpty()) {
            undone.pop().run();
        }
    }
}
