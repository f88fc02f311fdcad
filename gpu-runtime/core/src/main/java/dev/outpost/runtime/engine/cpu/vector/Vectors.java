package dev.outpost.runtime.engine.cpu.vector;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks if the JVM has the Vector API, and adds it at the first use if the JVM allows that. The system property
 * {@code outpost.cpu.vectors=false} disables it for comparisons, and for the run that trains an AOT cache, which
 * cannot contain classes of a module that was added later.
 */
public final class Vectors {
    private static final Logger LOG = LoggerFactory.getLogger(Vectors.class);
    private static final String SWITCH = "outpost.cpu.vectors";

    public static final boolean PRESENT = tryAdd();

    private Vectors() {}

    /** Returns true if kernels use vectors. */
    public static boolean arePresent() {
        return PRESENT;
    }

    private static boolean tryAdd() {
        if (!Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
            return false;
        }
        if (VectorApi.isThere()) {
            return true;
        }
        try {
            add();
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("the Vector API cannot be added", e);
            LOG.warn(
                    "without --add-modules {} the JVM computes exponentials and their like one at a time",
                    VectorApi.MODULE);
            return false;
        }
    }

    /**
     * Adds the module in the same way as the JDK adds the modules of its agents. If an incubator module is named on
     * the command line instead, the JVM does not load its module graph from the AOT cache, which takes more than half
     * of the start time. A program allows the addition by {@code Add-Exports: java.base/jdk.internal.module} in its
     * manifest, as the runtime's manifest does.
     */
    private static void add() throws ReflectiveOperationException {
        Class.forName("jdk.internal.module.Modules")
                .getMethod("loadModule", String.class)
                .invoke(null, VectorApi.MODULE);
    }
}
