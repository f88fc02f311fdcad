package dev.outpost.runtime.engine.cpu.threads;

/**
 * Whether this JVM lets Outpost call native code. Where it does not, the JVM would print four lines at the first call, and a
 * later Java refuse it: the engine then computes in Java alone.
 */
public final class NativeAccess {
    /** The flag that allows it. */
    public static final String FLAG = "--enable-native-access=ALL-UNNAMED";

    private NativeAccess() {}

    /** Whether it was allowed, by the flag or a manifest. */
    public static boolean isAllowed() {
        return NativeAccess.class.getModule().isNativeAccessEnabled();
    }
}
