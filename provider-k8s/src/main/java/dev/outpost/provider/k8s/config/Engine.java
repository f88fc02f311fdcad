package dev.outpost.provider.k8s.config;

import java.util.Locale;

/** What computes in a machine. */
public enum Engine {
    CUDA,
    CPU,
    REFERENCE;

    /** As the runtime spells it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
