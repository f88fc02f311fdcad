package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Makes and changes objects, and records the manager of each field. Used under the API server's lock only. */
final class Writing {
    private final ObjectStore store;
    private final AdmissionControl admission;
    private final ClusterTime time;

    Writing(ObjectStore store, AdmissionControl admission, ClusterTime time) {
        this.store = store;
        this.admission = admission;
        this.time = time;
    }

    // ---- new objects

    /** Makes an object, and returns it. */
    ObjectNode create(ResourcePath collection, ObjectNode object, String manager) {
        ResourcePath path = collection.named(nameOf(object));
        if (store.find(path).isPresent()) {
            throw ApiStatusException.alreadyExists(path);
        }
        ObjectNode owned = object.deepCopy();
        ManagedFields.updated(JsonObjects.object(), owned, manager, time.stamp());
        return bear(path, owned);
    }

    private ObjectNode bear(ResourcePath path, ObjectNode object) {
        admission.admit(path, object);
        ApiRequest creation =
                new ApiRequest(Verb.CREATE, path.collection(), Map.of(), "application/json", "", object.toString());
        ApiResponse answer = store.handle(creation, (before, made) -> AdmissionControl.complete(path, made));
        if (answer.isFailure()) {
            throw refusal(answer, path);
        }
        return store.find(path).orElseThrow();
    }

    private static String nameOf(ObjectNode object) {
        String name = JsonObjects.text(object, "metadata.name");
        if (name.isEmpty()) {
            name = JsonObjects.text(object, "metadata.generateName") + NameSuffix.draw();
            JsonObjects.metadata(object).put("name", name);
        }
        return name;
    }

    // ---- existing objects

    /** Replaces or patches an object or its status, as requested. */
    ObjectNode update(ApiRequest request) {
        ResourcePath path = request.path();
        ObjectNode present = store.find(path).orElseThrow(() -> ApiStatusException.notFound(path.whole()));
        ApiResponse answer = store.handle(request, (before, after) -> settle(path, before, after, request.manager()));
        if (answer.isFailure()) {
            throw refusal(answer, path);
        }
        return store.find(path).orElse(present);
    }

    private void settle(ResourcePath path, Optional<ObjectNode> before, ObjectNode after, String manager) {
        AdmissionControl.checkUpdate(path, before.orElseThrow(), after);
        ManagedFields.updated(before.orElseThrow(), after, manager, time.stamp());
    }

    private static ApiStatusException refusal(ApiResponse answer, ResourcePath path) {
        return switch (answer.code()) {
            case 409 -> ApiStatusException.conflict(path);
            case 415 -> ApiStatusException.unsupportedMediaType("the body of the request was in an unknown format");
            default -> ApiStatusException.badRequest(answer.body());
        };
    }

    // ---- apply

    ObjectNode apply(ResourcePath path, ObjectNode said, ApiRequest request) {
        String manager = request.option("fieldManager");
        if (manager.isEmpty()) {
            throw ApiStatusException.badRequest(
                    "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                            + " required for apply patch");
        }
        Optional<ObjectNode> live = store.find(path);
        checkIdentity(path, said, live);
        ObjectNode merged = Apply.merged(
                live.orElseGet(JsonObjects::object), withoutStatus(said), manager, request.is("force"), time.stamp());
        return live.isPresent() ? replace(path, live.get(), merged) : bear(path, merged);
    }

    private static ObjectNode withoutStatus(ObjectNode said) {
        ObjectNode object = said.deepCopy();
        object.remove("status");
        JsonObjects.metadata(object).remove(List.of("creationTimestamp", "generation", "resourceVersion", "uid"));
        return object;
    }

    private static void checkIdentity(ResourcePath path, ObjectNode said, Optional<ObjectNode> live) {
        String wanted = JsonObjects.text(said, "metadata.uid");
        String uid =
                live.map(object -> JsonObjects.text(object, "metadata.uid")).orElse("");
        if (!wanted.isEmpty() && !wanted.equals(uid)) {
            throw ApiStatusException.conflict(
                    path,
                    "uid mismatch: the provided object specified uid " + wanted + ", and the existing one has "
                            + (uid.isEmpty() ? "none" : uid));
        }
    }

    private ObjectNode replace(ResourcePath path, ObjectNode live, ObjectNode merged) {
        AdmissionControl.checkUpdate(path, live, merged);
        if (!merged.equals(live)) {
            countGeneration(live, merged);
            store.write(path, merged);
        }
        return store.find(path).orElseThrow();
    }

    // ---- the cluster's own parts

    /** Changes an object with its status; empty if it does not exist. */
    Optional<ObjectNode> edit(ResourcePath path, String manager, UnaryOperator<ObjectNode> change) {
        Optional<ObjectNode> live = store.find(path);
        live.ifPresent(before -> {
            ObjectNode after = change.apply(before.deepCopy());
            if (!after.equals(before)) {
                ManagedFields.updated(before, after, manager, time.stamp());
                countGeneration(before, after);
                store.write(path, after);
            }
        });
        return store.find(path);
    }

    private static void countGeneration(ObjectNode before, ObjectNode after) {
        if (!before.path("spec").equals(after.path("spec"))) {
            JsonObjects.metadata(after)
                    .put(
                            "generation",
                            JsonObjects.metadata(before).path("generation").asLong() + 1);
        }
    }
}
