package dev.outpost.runtime.source;

import java.util.Map;
import java.util.Optional;

/**
 * The secrets that a machine received for its sources, by the names of variables, such as {@code HF_TOKEN}. They are
 * kept in memory only, and no text, counter or message contains their values. Thread-safe.
 */
public final class SourceSecrets {
    private volatile Map<String, String> values = Map.of();

    /** Replaces all secrets. Stores use the new secrets from their next request on. */
    public void mount(Map<String, String> secrets) {
        values = Map.copyOf(secrets);
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    @Override
    public String toString() {
        return "SourceSecrets[hidden]";
    }
}
