package dev.outpost.provider.k8s.config;

import java.util.Locale;

/** The engine of a machine. */
public enum EngineKind {
    CUDA,
    CPU,
    REFERENCE;

    /** As the runtime spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
