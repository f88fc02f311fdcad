package dev.outpost.provider.k8s.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A strategic merge patch, as a tree of maps, lists and values.
 *
 * @param tree the changes; null removes a field
 */
public record MergePatch(Map<String, Object> tree) {
    private static final String FILE = "file:";

    /** Parses YAML, or the file whose path follows {@code file:}. */
    public static MergePatch of(String text) {
        return new MergePatch(text.startsWith(FILE) ? parse(read(text.substring(FILE.length()))) : parse(text));
    }

    private static Map<String, Object> parse(String yaml) {
        if (!(load(yaml) instanceof Map<?, ?> mapping)) {
            throw new IllegalArgumentException("expected a mapping in YAML, or file: and a path");
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        mapping.forEach((key, value) -> tree.put(String.valueOf(key), value));
        return tree;
    }

    private static Object load(String yaml) {
        try {
            return new Load(LoadSettings.builder().build()).loadFromString(yaml);
        } catch (YamlEngineException failure) {
            throw new IllegalArgumentException("the patch is no YAML: " + failure.getMessage(), failure);
        }
    }

    private static String read(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException | InvalidPathException failure) {
            throw new IllegalArgumentException("the file cannot be read: " + failure, failure);
        }
    }
}
