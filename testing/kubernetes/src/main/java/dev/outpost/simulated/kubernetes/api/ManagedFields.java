package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The owners of an object's fields, by apply or otherwise. */
final class ManagedFields {
    /** @param applied true if by apply: only then does leaving a field out remove it */
    record Manager(String name, boolean applied) {}

    private final Map<Manager, FieldSet> owned = new LinkedHashMap<>();
    private final Map<Manager, String> since = new LinkedHashMap<>();

    static ManagedFields of(ObjectNode object) {
        ManagedFields fields = new ManagedFields();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            boolean applied = JsonObjects.text(entry, "operation").equals("Apply");
            Manager manager = new Manager(JsonObjects.text(entry, "manager"), applied);
            fields.owned.put(manager, FieldSet.read(entry.path("fieldsV1")));
            fields.since.put(manager, JsonObjects.text(entry, "time"));
        }
        return fields;
    }

    FieldSet of(Manager manager) {
        FieldSet fields = owned.get(manager);
        return fields == null ? FieldSet.of(JsonObjects.object()).where(path -> false) : fields;
    }

    /** Returns true if another manager has set a field. */
    boolean isOthers(FieldPath path, Manager manager) {
        return !owners(path, manager).isEmpty();
    }

    /** Returns the other owners of a field. */
    List<Manager> owners(FieldPath path, Manager except) {
        return owned.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(except))
                .filter(entry -> entry.getValue().paths().contains(path))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Replaces the fields of this manager. */
    void set(Manager manager, FieldSet fields, String time) {
        if (!fields.equals(owned.put(manager, fields))) {
            since.put(manager, time);
        }
    }

    /** Removes these fields from the other managers. */
    void takeFromOthers(Manager manager, FieldSet fields) {
        owned.replaceAll((other, set) -> other.equals(manager) ? set : set.without(fields));
    }

    void writeTo(ObjectNode object) {
        JsonObjects.metadata(object).remove("managedFields");
        owned.forEach((manager, fields) -> {
            if (!fields.isEmpty()) {
                JsonObjects.metadata(object)
                        .withArrayProperty("managedFields")
                        .addObject()
                        .put("manager", manager.name())
                        .put("operation", manager.applied() ? "Apply" : "Update")
                        .put("apiVersion", JsonObjects.text(object, "apiVersion"))
                        .put("time", since.get(manager))
                        .put("fieldsType", "FieldsV1")
                        .set("fieldsV1", fields.write());
            }
        });
    }

    /** Records a change of an object that was not an apply. */
    static void updated(ObjectNode before, ObjectNode after, String manager, String time) {
        ManagedFields fields = of(before);
        FieldSet there = FieldSet.of(after);
        FieldSet changed = there.where(path -> !path.value(before).equals(path.value(after)));
        Manager updater = new Manager(manager, false);
        fields.takeFromOthers(updater, changed);
        fields.owned.replaceAll((name, set) -> set.where(there.paths()::contains));
        fields.set(updater, fields.of(updater).and(changed), time);
        fields.writeTo(after);
    }
}
