package dev.outpost.runtime.engine.cpu.vector;

/** Whether this JVM can have the Vector API; asking does not add it. */
public final class VectorApi {
    /** The flag that lets the engine add it when a kernel first wants it. */
    public static final String FLAG = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

    static final String MODULE = "jdk.incubator.vector";

    private VectorApi() {}

    /** Whether the JVM has it, or lets the engine add it. */
    public static boolean isAllowed() {
        return isThere() || Object.class.getModule().isExported("jdk.internal.module", VectorApi.class.getModule());
    }

    /** Whether the JVM was started with it. */
    static boolean isThere() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
    }
}
