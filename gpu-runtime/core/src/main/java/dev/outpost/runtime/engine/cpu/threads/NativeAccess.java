package dev.outpost.runtime.engine.cpu.threads;

/**
 * Tells if this JVM lets Outpost call native code. Otherwise the JVM would print four lines at the first call, and a later Java would
 * refuse it; the engine then computes in Java alone.
 */
public final class NativeAccess {
    /** The flag that allows native calls. */
    public static final String FLAG = "--enable-native-access=ALL-UNNAMED";

    private NativeAccess() {}

    /** Returns true if the flag or a manifest allows native calls. */
    public static boolean isAllowed() {
        return NativeAccess.class.getModule().isNativeAccessEnabled();
    }
}
