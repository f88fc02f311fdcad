package dev.outpost.models;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Signals that ask a process to end, TERM and INT. They are handled before the JVM begins to shut down, so that machines are still there.
 * The only way to them is {@code sun.misc}, which compilers warn of: hence by reflection.
 */
public final class EndSignals implements AutoCloseable {
    private static final List<String> NAMES = List.of("TERM", "INT");

    private final Deque<Runnable> undone = new ArrayDeque<>();

    private EndSignals() {}

    /**
     * Handles them until it is closed.
     *
     * @param ended is given the signal's number
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

    /** Signals do again what they did before. */
    @Override
    public void close() {
        while (!undone.isEmpty()) {
            undone.pop().run();
        }
    }
}
