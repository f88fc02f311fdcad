package dev.outpost.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Bytes that earlier builds wrote, as they are committed with the tests: a name and hex digits per line. */
public final class CommittedBytes {
    private CommittedBytes() {}

    /** The bytes of a resource by name, in its order; if it is missing, the failure contains what to commit. */
    public static Map<String, byte[]> read(Class<?> test, String resource, Map<String, byte[]> today) {
        try (InputStream in = test.getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError(resource + " is missing; today it would be\n" + text(today));
            }
            Map<String, byte[]> bytes = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] parts = line.split(" ", 2);
                bytes.put(parts[0], HexFormat.of().parseHex(parts[1]));
            });
            return bytes;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Map<String, byte[]> bytes) {
        return bytes.entrySet().stream()
                .map(entry -> entry.getKey() + " " + HexFormat.of().formatHex(entry.getValue()))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
