package dev.outpost.provider.process.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The engine of a runtime. */
public enum EngineName {
    CPU,
    CUDA,
    REFERENCE;

    /** The runtime's name of the engine. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static EngineName of(String text) {
        return Arrays.stream(values())
                .filter(engine -> engine.text().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected " + words()));
    }

    private static String words() {
        return Arrays.stream(values()).map(EngineName::text).collect(Collectors.joining(", "));
    }
}
