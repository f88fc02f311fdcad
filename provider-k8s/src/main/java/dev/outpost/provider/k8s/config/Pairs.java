package dev.outpost.provider.k8s.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Keys and values in the order in which they were written, read from {@code key=value,key=value}. A comma within a
 * value is written {@code \,}.
 */
public record Pairs(Map<String, String> map) {
    private static final Pattern COMMA = Pattern.compile("(?<!\\\\),");

    public Pairs {
        map = Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    public static Pairs of(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String entry : COMMA.split(text, -1)) {
            add(pairs, entry.strip());
        }
        return new Pairs(pairs);
    }

    private static void add(Map<String, String> pairs, String entry) {
        int equals = entry.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException(
                    "expected key=value with commas between them, \"" + entry + "\" has no =");
        }
        String key = entry.substring(0, equals).strip();
        if (!KubernetesNames.isKey(key)) {
            throw new IllegalArgumentException("\"" + key + "\" is no key, expected such as example.com/team or team");
        }
        String value = entry.substring(equals + 1).strip().replace("\\,", ",");
        if (pairs.putIfAbsent(key, value) != null) {
            throw new IllegalArgumentException(key + " stands there twice");
        }
    }
}
