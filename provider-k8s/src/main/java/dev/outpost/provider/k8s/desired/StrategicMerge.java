package dev.outpost.provider.k8s.desired;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kubernetes' strategic merge patch over trees of maps, lists and values. Maps are merged, and null removes an entry. Lists whose
 * elements have a key are merged by it. Everything else is replaced.
 *
 * <p>{@code $patch: delete} in an element removes the element with its key. {@code $patch: replace} in a map replaces the original map. As
 * an element of a list, it makes the other elements replace the original list. Other directives are refused.
 */
final class StrategicMerge {
    private static final String DIRECTIVE = "$patch";
    private static final String REPLACE = "replace";
    private static final String DELETE = "delete";
    private static final String MERGE = "merge";

    /** The lists of a pod's or an object's description that are merged, and the key of their elements. */
    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("containers", "name"),
            Map.entry("initContainers", "name"),
            Map.entry("ephemeralContainers", "name"),
            Map.entry("env", "name"),
            Map.entry("ports", "containerPort"),
            Map.entry("volumes", "name"),
            Map.entry("volumeMounts", "mountPath"),
            Map.entry("volumeDevices", "devicePath"),
            Map.entry("imagePullSecrets", "name"),
            Map.entry("hostAliases", "ip"),
            Map.entry("resourceClaims", "name"),
            Map.entry("schedulingGates", "name"),
            Map.entry("topologySpreadConstraints", "topologyKey"),
            Map.entry("ownerReferences", "uid"));

    private StrategicMerge() {}

    /** Merges the patch into the original, and returns the result. Both arguments stay unchanged. */
    static Map<String, Object> merge(Map<String, Object> original, Map<String, Object> patch) {
        Optional<String> directive = directive(patch);
        if (directive.filter(DELETE::equals).isPresent()) {
            return Map.of();
        }
        if (directive.filter(REPLACE::equals).isPresent()) {
            return added(patch);
        }
        Map<String, Object> merged = new LinkedHashMap<>(original);
        patch.forEach((field, value) -> put(merged, field, value));
        merged.remove(DIRECTIVE);
        return merged;
    }

    private static void put(Map<String, Object> merged, String field, Object value) {
        if (value == null) {
            merged.remove(field);
            return;
        }
        if (field.startsWith("$") && !field.equals(DIRECTIVE)) {
            throw new IllegalArgumentException(
                    "the directive " + field + " is not known, expected $patch: replace, delete or merge");
        }
        merged.put(field, mergeValue(field, merged.get(field), value));
    }

    private static Object mergeValue(String field, Object original, Object patch) {
        return switch (patch) {
            case Map<?, ?> map -> merge(original instanceof Map<?, ?> before ? tree(before) : Map.of(), tree(map));
            case List<?> list
            when KEYS.containsKey(field) ->
                mergeList(field, original instanceof List<?> before ? before : List.of(), list);
            case List<?> list -> replaced(list);
            default -> patch;
        };
    }

    /** Returns the elements of a list that replaces the original, without the directive itself. */
    private static List<Object> replaced(List<?> list) {
        return list.stream()
                .filter(element -> !Map.of(DIRECTIVE, REPLACE).equals(element))
                .map(StrategicMerge::addedValue)
                .toList();
    }

    private static List<Object> mergeList(String field, List<?> original, List<?> patch) {
        List<Map<String, Object>> elements =
                patch.stream().map(element -> element(field, element)).toList();
        if (elements.stream()
                .anyMatch(element -> directive(element).filter(REPLACE::equals).isPresent())) {
            return elements.stream()
                    .filter(element -> directive(element).isEmpty())
                    .<Object>map(StrategicMerge::added)
                    .toList();
        }
        List<Object> merged = new ArrayList<>(original);
        elements.forEach(element -> mergeElement(field, merged, element));
        return merged;
    }

    private static void mergeElement(String field, List<Object> merged, Map<String, Object> element) {
        Object key = requireKey(field, element);
        int index = indexOf(merged, KEYS.get(field), key);
        boolean isDelete = directive(element).filter(DELETE::equals).isPresent();
        if (index < 0 && !isDelete) {
            merged.add(added(element));
        } else if (index >= 0 && isDelete) {
            merged.remove(index);
        } else if (index >= 0) {
            merged.set(index, merge(tree((Map<?, ?>) merged.get(index)), element));
        }
    }

    private static int indexOf(List<Object> elements, String keyField, Object key) {
        for (int index = 0; index < elements.size(); index++) {
            if (elements.get(index) instanceof Map<?, ?> element && isSame(element.get(keyField), key)) {
                return index;
            }
        }
        return -1;
    }

    /** Compares keys as text, because numbers may have different types. */
    private static boolean isSame(Object left, Object right) {
        return String.valueOf(left).equals(String.valueOf(right));
    }

    private static Object requireKey(String field, Map<String, Object> element) {
        Object key = element.get(KEYS.get(field));
        if (key == null) {
            throw new IllegalArgumentException("an element of " + field + " lacks its " + KEYS.get(field)
                    + ", by which it is merged, got " + element);
        }
        return key;
    }

    private static Map<String, Object> element(String field, Object element) {
        if (element instanceof Map<?, ?> map) {
            return tree(map);
        }
        throw new IllegalArgumentException("an element of " + field + " is no mapping, got " + element);
    }

    /** Returns the part of a patch that has no original to merge with, without its nulls and directives. */
    private static Map<String, Object> added(Map<String, Object> patch) {
        Map<String, Object> plain = new LinkedHashMap<>(patch);
        plain.remove(DIRECTIVE);
        return merge(Map.of(), plain);
    }

    private static Object addedValue(Object value) {
        return value instanceof Map<?, ?> map ? added(tree(map)) : value;
    }

    private static Optional<String> directive(Map<String, Object> patch) {
        Object directive = patch.get(DIRECTIVE);
        if (directive != null && !List.of(REPLACE, DELETE, MERGE).contains(directive)) {
            throw new IllegalArgumentException("$patch is replace, delete or merge, got " + directive);
        }
        return Optional.ofNullable((String) directive);
    }

    private static Map<String, Object> tree(Map<?, ?> map) {
        Map<String, Object> tree = new LinkedHashMap<>();
        map.forEach((key, value) -> tree.put(String.valueOf(key), value));
        return tree;
    }
}
