package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Removes objects whose owners no longer exist. Used under the API server's lock only. */
final class GarbageCollector {
    private static final ObjectNode BACKGROUND = JsonObjects.object().put("propagationPolicy", "Background");

    private final ObjectStore store;
    private final Deletion deletion;

    GarbageCollector(ObjectStore store, Deletion deletion) {
        this.store = store;
        this.deletion = deletion;
    }

    /** Checks all objects once, and returns their number. Its removals cause another check. */
    int collect() {
        Set<String> alive = store.paths().stream()
                .flatMap(path -> store.find(path).stream())
                .map(object -> JsonObjects.text(object, "metadata.uid"))
                .collect(Collectors.toSet());
        for (ResourcePath path : store.paths()) {
            store.find(path).ifPresent(object -> collect(path, object, alive));
        }
        return alive.size();
    }

    private void collect(ResourcePath path, ObjectNode object, Set<String> alive) {
        if (isTerminating(object) && hasFinalizer(object)) {
            finish(path, object);
        } else if (isOrphaned(object, alive) && !isTerminating(object)) {
            deletion.delete(path, BACKGROUND.deepCopy());
        }
    }

    /** Handles an object that is deleted last: deletes its dependents, and removes it when none are left. */
    private void finish(ResourcePath path, ObjectNode object) {
        String uid = JsonObjects.text(object, "metadata.uid");
        List<ResourcePath> dependents = store.paths().stream()
                .filter(other -> store.find(other).stream()
                        .anyMatch(found -> owners(found).contains(uid)))
                .toList();
        dependents.stream()
                .filter(dependent -> store.find(dependent).stream().noneMatch(GarbageCollector::isTerminating))
                .forEach(dependent -> deletion.delete(dependent, BACKGROUND.deepCopy()));
        if (dependents.isEmpty()) {
            deletion.removeFinalizer(path, object, Deletion.FOREGROUND);
        }
    }

    /** Returns true if a change may leave garbage. */
    static boolean isOccasion(Change change) {
        return change.type() == Change.Type.DELETED
                || isTerminating(change.object())
                || !change.before().isPresent() && !owners(change.object()).isEmpty();
    }

    private static boolean isOrphaned(ObjectNode object, Set<String> alive) {
        List<String> owners = owners(object);
        return !owners.isEmpty() && owners.stream().noneMatch(alive::contains);
    }

    private static boolean isTerminating(ObjectNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    private static boolean hasFinalizer(ObjectNode object) {
        return StreamSupport.stream(object.path("metadata").path("finalizers").spliterator(), false)
                .map(JsonNode::asText)
                .anyMatch(Deletion.FOREGROUND::equals);
    }

    private static List<String> owners(ObjectNode object) {
        return StreamSupport.stream(
                        object.path("metadata").path("ownerReferences").spliterator(), false)
                .map(owner -> owner.path("uid").asText())
                .toList();
    }
}
