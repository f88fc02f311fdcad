package dev.outpost.serving.http;

import dev.outpost.serving.config.ServingConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The accepted keys, by their names. */
@ApplicationScoped
class ApiKeys {
    private final Map<String, byte[]> keys = new LinkedHashMap<>();

    ApiKeys(ServingConfig config) {
        config.apiKeys().ifPresent(said -> said.forEach(this::add));
        config.apiKeysFile().ifPresent(file -> lines(file).forEach(this::add));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("api-keys-file: " + file + " cannot be read", failure);
        }
    }

    private void add(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? "key-" + (keys.size() + 1) : text.substring(0, colon);
        String secret = text.substring(colon + 1);
        if (name.isBlank() || secret.isBlank() || keys.containsKey(name)) {
            throw new IllegalArgumentException("api-keys: expected NAME:SECRET with names of their own, see " + name);
        }
        keys.put(name, secret.getBytes(StandardCharsets.UTF_8));
    }

    /** True if no keys are configured, so that requests need no key. */
    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Returns the name of a key; empty for an unknown key. Takes the same time in both cases. */
    Optional<String> nameOf(String secret) {
        byte[] said = secret.getBytes(StandardCharsets.UTF_8);
        String found = null;
        for (Map.Entry<String, byte[]> key : keys.entrySet()) {
            if (MessageDigest.isEqual(key.getValue(), said)) {
                found = key.getKey();
            }
        }
        return Optional.ofNullable(found);
    }
}
