package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The fields that a manager has set: the leaves of the written object. */
record FieldSet(SortedSet<FieldPath> paths) {
    /** The fields that belong to the server or have no owner. */
    private static final Set<String> NOBODYS = Set.of(
            ".apiVersion",
            ".kind",
            ".metadata.name",
            ".metadata.namespace",
            ".metadata.uid",
            ".metadata.resourceVersion",
            ".metadata.generation",
            ".metadata.creationTimestamp",
            ".metadata.deletionTimestamp",
            ".metadata.deletionGracePeriodSeconds",
            ".metadata.managedFields",
            ".status");

    /** Returns all fields of an object. */
    static FieldSet of(ObjectNode object) {
        SortedSet<FieldPath> paths = new TreeSet<>();
        collect(FieldPath.root(), "", object, paths);
        return new FieldSet(paths);
    }

    private static void collect(FieldPath path, String field, JsonNode node, Collection<FieldPath> found) {
        if (NOBODYS.contains(path.toString())) {
            return;
        }
        if (node.isObject() && !node.isEmpty()) {
            node.properties()
                    .forEach(entry -> collect(path.field(entry.getKey()), entry.getKey(), entry.getValue(), found));
        } else if (node.isArray() && ListKeys.of(field, node).isPresent()) {
            List<String> keys = ListKeys.of(field, node).get();
            node.forEach(item -> collect(path.item(ListKeys.key(keys, item)), "", item, found));
        } else {
            found.add(path);
        }
    }

    FieldSet where(Predicate<FieldPath> condition) {
        SortedSet<FieldPath> kept = new TreeSet<>(paths);
        kept.removeIf(condition.negate());
        return new FieldSet(kept);
    }

    FieldSet without(FieldSet others) {
        return where(path -> !others.paths.contains(path));
    }

    FieldSet and(FieldSet others) {
        SortedSet<FieldPath> all = new TreeSet<>(paths);
        all.addAll(others.paths);
        return new FieldSet(all);
    }

    boolean isEmpty() {
        return paths.isEmpty();
    }

    // ---- the form within an object

    static FieldSet read(JsonNode fieldsV1) {
        SortedSet<FieldPath> paths = new TreeSet<>();
        read(FieldPath.root(), fieldsV1, paths);
        return new FieldSet(paths);
    }

    private static void read(FieldPath path, JsonNode node, Collection<FieldPath> found) {
        if (node.isEmpty()) {
            found.add(path);
        }
        node.properties().forEach(entry -> read(path.then(entry.getKey()), entry.getValue(), found));
    }

    ObjectNode write() {
        ObjectNode root = JsonObjects.object();
        for (FieldPath path : paths) {
            ObjectNode node = root;
            for (String step : path.steps()) {
                node = node.has(step) ? (ObjectNode) node.get(step) : node.putObject(step);
            }
        }
        return root;
    }
}
