package dev.outpost.sharding;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Signals by name, from a file or from the program. Immutable.
 *
 * @param byName the signals
 * @param meshes the meshes that the signals name; the mesh {@code default} is for signals that name none
 */
public record Signals(Map<String, Signal> byName, Map<String, Mesh> meshes) {
    public static final Signals NONE = new Signals(Map.of(), Map.of());

    public Signals {
        byName = Map.copyOf(byName);
        meshes = Map.copyOf(meshes);
        for (Map.Entry<String, Signal> signal : byName.entrySet()) {
            String backward = signal.getValue().backward().orElse(null);
            if (backward != null && !byName.containsKey(backward)) {
                throw unknown("signal " + signal.getKey() + ": backward signal " + backward, byName);
            }
        }
    }

    /** Returns signals that the program defines. */
    public static Signals of(Map<String, Signal> byName) {
        return new Signals(byName, Map.of());
    }

    /**
     * Reads a YAML file. Errors have the file, line and column.
     *
     * @param size the number of workers of the group
     */
    public static Signals read(Path file, int size) {
        try {
            return parse(file.toString(), Files.readString(file), size);
        } catch (IOException failure) {
            throw new OutpostException(
                    FaultKind.USER, "signals: " + file + " cannot be read: " + failure.getMessage(), failure);
        }
    }

    /**
     * Like {@link #read}, but from a text.
     *
     * @param name the name of the text in errors
     */
    public static Signals parse(String name, String yaml, int size) {
        return new SignalsYaml(name, size).parse(yaml);
    }

    /** Returns the signal of this name. Fails if there is none. */
    public Signal get(String name) {
        Signal found = byName.get(name);
        if (found == null) {
            throw unknown("signal " + name, byName);
        }
        return found;
    }

    /** Returns the mesh with these axes; if several have them, the mesh {@code default}. */
    public Mesh mesh(List<String> axes) {
        Mesh chosen = meshes.get("default");
        if (chosen != null && chosen.axes().keySet().containsAll(axes)) {
            return chosen;
        }
        return new TreeMap<>(meshes)
                .values().stream()
                        .filter(mesh -> mesh.axes().keySet().containsAll(axes))
                        .findFirst()
                        .orElseThrow(() -> new OutpostException(
                                FaultKind.USER,
                                "signals: no mesh has the axes " + axes + "; configured are " + meshes));
    }

    private static OutpostException unknown(String what, Map<String, Signal> byName) {
        return new OutpostException(
                FaultKind.USER, what + " is not configured; configured are " + new TreeMap<>(byName).keySet());
    }
}
