package dev.outpost.runtime.engine.cpu.threads;

/**
 * Checks if Outpost may call native code in this JVM. If not, the engine computes only in Java, because the JVM would
 * print a warning at the first native call, and later versions of Java would refuse the call.
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
