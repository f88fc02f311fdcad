package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/** Server-side apply: merges the fields that a manager sets into the fields that others have set. */
final class Apply {
    private final ObjectNode live;
    private final ObjectNode said;
    private final ManagedFields.Manager manager;
    private final ManagedFields managed;
    private final FieldSet fields;

    private Apply(ObjectNode live, ObjectNode said, String manager) {
        this.live = live;
        this.said = said;
        this.manager = new ManagedFields.Manager(manager, true);
        this.managed = ManagedFields.of(live);
        this.fields = FieldSet.of(said);
    }

    /**
     * Returns the object after the apply.
     *
     * @param live the existing object; empty if it does not exist yet
     * @param force true to take fields from other managers instead of refusing
     */
    static ObjectNode merged(ObjectNode live, ObjectNode said, String manager, boolean force, String time) {
        Apply apply = new Apply(live, said, manager);
        List<ApplyConflict> conflicts = apply.conflicts();
        if (!conflicts.isEmpty() && !force) {
            throw ApiStatusException.applyConflict(message(conflicts), conflicts);
        }
        return apply.merged(time);
    }

    private List<ApplyConflict> conflicts() {
        return fields.paths().stream()
                .filter(this::isChanged)
                .flatMap(path -> managed.owners(path, manager).stream()
                        .map(other ->
                                new ApplyConflict(other.name(), JsonObjects.text(live, "apiVersion"), path.toString())))
                .toList();
    }

    private boolean isChanged(FieldPath path) {
        return !path.value(live).equals(path.value(said));
    }

    private static String message(List<ApplyConflict> conflicts) {
        String head =
                "Apply failed with " + conflicts.size() + (conflicts.size() == 1 ? " conflict: " : " conflicts: ");
        return conflicts.size() == 1
                ? head + conflicts.getFirst().withWhom() + ": "
                        + conflicts.getFirst().field()
                : head
                        + conflicts.stream()
                                .map(conflict -> conflict.withWhom() + ": " + conflict.field())
                                .collect(Collectors.joining("\n- ", "conflicts with\n- ", ""));
    }

    private ObjectNode merged(String time) {
        ObjectNode result = (ObjectNode) merge("", live, said);
        FieldSet left = managed.of(manager).without(fields).where(path -> !managed.isOthers(path, manager));
        left.paths().forEach(path -> path.remove(result));
        managed.takeFromOthers(manager, fields.where(this::isChanged));
        managed.set(manager, fields, time);
        managed.writeTo(result);
        return result;
    }

    private static JsonNode merge(String field, JsonNode live, JsonNode said) {
        if (live.isObject() && said.isObject()) {
            ObjectNode result = live.deepCopy();
            said.properties()
                    .forEach(entry -> result.set(
                            entry.getKey(), merge(entry.getKey(), live.path(entry.getKey()), entry.getValue())));
            return result;
        }
        if (live.isArray() && said.isArray() && ListKeys.of(field, said).isPresent()) {
            return mergeItems(ListKeys.of(field, said).get(), live, said);
        }
        return said.deepCopy();
    }

    private static ArrayNode mergeItems(List<String> keys, JsonNode live, JsonNode said) {
        ArrayNode result = live.deepCopy();
        for (JsonNode item : said) {
            int place = indexOf(result, keys, ListKeys.key(keys, item));
            if (place < 0) {
                result.add(item.deepCopy());
            } else {
                result.set(place, merge("", result.get(place), item));
            }
        }
        return result;
    }

    private static int indexOf(ArrayNode items, List<String> keys, ObjectNode key) {
        for (int i = 0; i < items.size(); i++) {
            if (ListKeys.key(keys, items.get(i)).equals(key)) {
                return i;
            }
        }
        return -1;
    }
}
