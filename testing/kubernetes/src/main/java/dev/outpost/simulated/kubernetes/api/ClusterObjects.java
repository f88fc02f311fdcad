package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The objects of a cluster, for its own parts: without network, faults and conflicts. */
public final class ClusterObjects {
    private final ApiServer server;
    private final ObjectStore store;
    private final Writing writing;
    private final Deletion deletion;

    ClusterObjects(ApiServer server, ObjectStore store, Writing writing, Deletion deletion) {
        this.server = server;
        this.store = store;
        this.writing = writing;
        this.deletion = deletion;
    }

    public <T extends HasMetadata> Optional<T> find(Class<T> type, String namespace, String name) {
        return server.locked(() -> store.find(ResourcePath.of(type, namespace, name)))
                .map(object -> JsonObjects.read(object, type));
    }

    /** Returns all objects of a kind, in all namespaces. */
    public <T extends HasMetadata> List<T> list(Class<T> type) {
        return server.locked(() -> store.list(ResourcePath.of(type, "", ""))).stream()
                .map(object -> JsonObjects.read(object, type))
                .toList();
    }

    /** Makes an object with its status. */
    public <T extends HasMetadata> T create(T object, Class<T> type) {
        ResourcePath path = ResourcePath.of(object);
        ObjectNode made = server.locked(() -> {
            ObjectNode tree = JsonObjects.write(object);
            ObjectNode fresh = writing.create(path.collection(), tree, "kube-controller-manager");
            return writing.edit(
                            path.named(JsonObjects.text(fresh, "metadata.name")),
                            "kube-controller-manager",
                            present -> {
                                Optional.ofNullable(tree.get("status"))
                                        .ifPresent(status -> present.set("status", status));
                                return present;
                            })
                    .orElseThrow();
        });
        return JsonObjects.read(made, type);
    }

    /**
     * Changes an object with its status, atomically with respect to other changes.
     *
     * @param manager the manager that is recorded as having set the fields
     * @return the object after the change; empty if it does not exist
     */
    public <T extends HasMetadata> Optional<T> edit(
            Class<T> type, String namespace, String name, String manager, UnaryOperator<T> change) {
        UnaryOperator<ObjectNode> onTree = tree -> {
            T before = JsonObjects.read(tree, type);
            T after = change.apply(before);
            return after.equals(before) ? tree : JsonObjects.write(after);
        };
        return server.locked(() -> writing.edit(ResourcePath.of(type, namespace, name), manager, onTree))
                .map(object -> JsonObjects.read(object, type));
    }

    /** Deletes an object as a client would, in the background; does nothing if it does not exist. */
    public void delete(HasMetadata object) {
        delete(object, JsonObjects.object().put("propagationPolicy", "Background"));
    }

    /** Deletes an object after all its dependents. */
    public void deleteAfterDependents(HasMetadata object) {
        delete(object, JsonObjects.object().put("propagationPolicy", "Foreground"));
    }

    /** Removes an object at once, regardless of finalizers. */
    public void remove(HasMetadata object) {
        delete(
                object,
                JsonObjects.object().put("propagationPolicy", "Background").put("gracePeriodSeconds", 0));
    }

    private void delete(HasMetadata object, ObjectNode options) {
        ResourcePath path = ResourcePath.of(object);
        server.locked(() -> {
            if (store.find(path).isPresent()) {
                deletion.delete(path, options);
            }
            return path;
        });
    }

    /** Calls the follower for every later change before the next change happens, so the follower must not wait. */
    public void follow(Consumer<Change> follower) {
        server.follow(follower);
    }

    /** Converts the object of a change to Fabric8's class. */
    public static <T extends HasMetadata> T read(Change change, Class<T> type) {
        return JsonObjects.read(change.object(), type);
    }
}
