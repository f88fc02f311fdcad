package dev.outpost.runtime.engine.cpu.vector;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the JVM has the Vector API; asked for the first time, it gets it where it may. The system property
 * {@code outpost.cpu.vectors=false} does without: for comparison, and for the run that trains an AOT cache, which cannot
 * hold classes of a module that was added later.
 */
public final class Vectors {
    private static final Logger LOG = LoggerFactory.getLogger(Vectors.class);
    private static final String SWITCH = "outpost.cpu.vectors";

    public static final boolean PRESENT = tryAdd();

    private Vectors() {}

    /** Whether kernels are computed whole registers at a time. */
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
     * As the JDK adds the modules of its own agents. Named on the command line an incubator module keeps the JVM from
     * taking its module graph out of the AOT cache, which costs more than half of a start. A program allows this by
     * {@code Add-Exports: java.base/jdk.internal.module} in its manifest, as the runtime's does.
     */
    private static void add() throws ReflectiveOperationException {
        Class.forName("jdk.internal.module.Modules")
                .getMethod("loadModule", String.class)
                .invoke(null, VectorApi.MODULE);
    }
}
