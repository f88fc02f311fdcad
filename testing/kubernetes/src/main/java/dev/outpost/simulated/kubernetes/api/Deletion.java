package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;

/** Removes objects: at once, after a grace period, or after their dependents. */
final class Deletion {
    static final String FOREGROUND = "foregroundDeletion";

    private final ObjectStore store;
    private final ClusterTime time;

    Deletion(ObjectStore store, ClusterTime time) {
        this.store = store;
        this.time = time;
    }

    /** Deletes an object by the options of a request. */
    void delete(ResourcePath path, ObjectNode options) {
        ObjectNode object = store.find(path).orElseThrow(() -> ApiStatusException.notFound(path));
        checkPreconditions(path, object, options.path("preconditions"));
        switch (policy(path, options)) {
            case "Orphan" -> orphan(object);
            case "Foreground" -> addFinalizer(object, FOREGROUND);
            default -> {}
        }
        if (!object.path("metadata").path("finalizers").isEmpty()) {
            mark(path, object, Duration.ZERO);
        } else {
            removeOrTerminate(path, object, options);
        }
    }

    /** Returns the propagation policy. By default, the deletion of a Job leaves its pods: the API of Jobs has kept this old behaviour. */
    private static String policy(ResourcePath path, ObjectNode options) {
        String text = JsonObjects.text(options, "propagationPolicy");
        if (!text.isEmpty()) {
            return text;
        }
        return path.isOf("batch", "jobs") ? "Orphan" : "Background";
    }

    private static void checkPreconditions(ResourcePath path, ObjectNode object, JsonNode preconditions) {
        String wanted = JsonObjects.text(preconditions, "uid");
        String uid = JsonObjects.text(object, "metadata.uid");
        if (!wanted.isEmpty() && !wanted.equals(uid)) {
            throw ApiStatusException.conflict(
                    path, "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + uid);
        }
    }

    /** Gives a pod on a node time to end; the kubelet removes it. */
    private void removeOrTerminate(ResourcePath path, ObjectNode object, ObjectNode options) {
        Duration grace = path.isOf("", "pods") ? grace(object, options) : Duration.ZERO;
        if (grace.isZero()) {
            store.remove(path);
        } else {
            mark(path, object, grace);
        }
    }

    private static Duration grace(ObjectNode pod, ObjectNode options) {
        boolean ended = PodPhases.isLast(JsonObjects.text(pod, "status.phase"));
        if (ended || JsonObjects.text(pod, "spec.nodeName").isEmpty()) {
            return Duration.ZERO;
        }
        JsonNode said = options.path("gracePeriodSeconds");
        return Duration.ofSeconds(
                said.isNumber()
                        ? said.asLong()
                        : pod.path("spec").path("terminationGracePeriodSeconds").asLong());
    }

    private void mark(ResourcePath path, ObjectNode object, Duration grace) {
        ObjectNode metadata = JsonObjects.metadata(object);
        if (!metadata.has("deletionTimestamp")) {
            metadata.put(
                    "deletionTimestamp",
                    time.instant().plus(grace).truncatedTo(ChronoUnit.SECONDS).toString());
            metadata.put("deletionGracePeriodSeconds", grace.toSeconds());
            store.write(path, object);
        }
    }

    private static void addFinalizer(ObjectNode object, String finalizer) {
        JsonObjects.metadata(object).withArrayProperty("finalizers").add(finalizer);
    }

    /** Removes a finalizer, and the object too if that was the last one of a deleted object. */
    void removeFinalizer(ResourcePath path, ObjectNode object, String finalizer) {
        ArrayNode finalizers = JsonObjects.metadata(object).withArrayProperty("finalizers");
        removeIf(finalizers, finalizer, "");
        if (finalizers.isEmpty()) {
            store.remove(path);
        } else {
            store.write(path, object);
        }
    }

    /** Removes the references of dependents to an object, so that they stay. */
    private void orphan(ObjectNode owner) {
        String uid = JsonObjects.text(owner, "metadata.uid");
        store.paths()
                .forEach(path -> store.find(path).ifPresent(object -> {
                    if (removeIf(JsonObjects.metadata(object).withArrayProperty("ownerReferences"), uid, "uid")) {
                        store.write(path, object);
                    }
                }));
    }

    private static boolean removeIf(ArrayNode items, String value, String field) {
        boolean removed = false;
        for (Iterator<JsonNode> each = items.iterator(); each.hasNext(); ) {
            JsonNode item = each.next();
            if ((field.isEmpty() ? item : item.path(field)).asText().equals(value)) {
                each.remove();
                removed = true;
            }
        }
        return removed;
    }
}
