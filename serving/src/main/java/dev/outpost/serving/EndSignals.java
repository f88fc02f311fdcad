package dev.outpost.serving;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;

/** Signals that ask the process to end. The only way to them is {@code sun.misc}, which compilers warn of: hence by reflection. */
final class EndSignals {
    private static final List<String> NAMES = List.of("TERM", "INT");

    private EndSignals() {}

    /** @param ended is given the signal's number */
    static void handle(IntConsumer ended) {
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
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), made);
            }
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("signals cannot be handled on this Java", missing);
        }
    }
}
