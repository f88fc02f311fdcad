package dev.outpost.runtime.engine.cpu.vector;

/** Checks if this JVM has the Vector API or can add it. The check itself does not add the API. */
public final class VectorApi {
    /** The flag that allows the engine to add the Vector API when a kernel first needs it. */
    public static final String FLAG = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

    static final String MODULE = "jdk.incubator.vector";

    private VectorApi() {}

    /** Returns true if the JVM has the Vector API, or allows the engine to add it. */
    public static boolean isAllowed() {
        return isThere() || Object.class.getModule().isExported("jdk.internal.module", VectorApi.class.getModule());
    }

    /** Returns true if the JVM was started with the Vector API. */
    static boolean isThere() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
    }
}
