package dev.outpost.provider.process.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The ways to isolate machines of organisations, by their names in the settings. */
public enum IsolationName {
    AUTO,
    NAMESPACES,
    USER,
    NONE;

    static IsolationName of(String text) {
        return Arrays.stream(values())
                .filter(name -> name.text().equals(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected one of "
                        + Arrays.stream(values()).map(IsolationName::text).collect(Collectors.joining(", "))));
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
