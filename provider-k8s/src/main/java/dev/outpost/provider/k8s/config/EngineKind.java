package dev.outpost.provider.k8s.config;

import java.util.Locale;

/** The engine of a machine. */
public enum EngineKind {
    CUDA,
    CPU,
    REFERENCE;

    /** The runtime's name of the engine. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
