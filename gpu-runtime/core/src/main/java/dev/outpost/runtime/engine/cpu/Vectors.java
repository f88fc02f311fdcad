package dev.outpost.runtime.engine.cpu;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the JVM has the Vector API. */
final class Vectors {
    private static final Logger LOG = LoggerFactory.getLogger(Vectors.class);
    private static final String MODULE = "jdk.incubator.vector";

    static final boolean PRESENT = isPresent();

    private Vectors() {}

    private static boolean isPresent() {
        boolean isPresent = ModuleLayer.boot().findModule(MODULE).isPresent();
        if (!isPresent) {
            LOG.warn("without --add-modules {} the JVM computes exponentials and their like one at a time", MODULE);
        }
        return isPresent;
    }
}
