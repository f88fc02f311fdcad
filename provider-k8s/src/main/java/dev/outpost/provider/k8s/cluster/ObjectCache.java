package dev.outpost.provider.k8s.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The existing objects of a kind, as far as lists and watches have reported them. */
public final class ObjectCache<T extends HasMetadata> {
    private final Map<String, T> present = new HashMap<>();
    private T last;

    /** Replaces the content by these objects. */
    public void list(List<T> objects) {
        present.clear();
        objects.forEach(this::put);
    }

    /** Returns true if exactly these objects are known, in these versions. */
    boolean isUpToDate(List<T> objects) {
        return objects.size() == present.size()
                && objects.stream()
                        .allMatch(object -> Optional.ofNullable(
                                        present.get(object.getMetadata().getUid()))
                                .filter(known -> Objects.equals(
                                        known.getMetadata().getResourceVersion(),
                                        object.getMetadata().getResourceVersion()))
                                .isPresent());
    }

    public void put(T object) {
        present.put(object.getMetadata().getUid(), object);
        last = newestPresent();
    }

    /** Records that an object was deleted, with its last state. */
    public void remove(T object) {
        present.remove(object.getMetadata().getUid());
        last = present.isEmpty() ? object : newestPresent();
    }

    /** Returns the newest existing object, or the last object that existed. */
    public Optional<T> newest() {
        return Optional.ofNullable(last);
    }

    /** Returns all existing objects, in no order. */
    public List<T> present() {
        return List.copyOf(present.values());
    }

    /** Returns true if an object existed and none does now. */
    public boolean isGone() {
        return present.isEmpty() && last != null;
    }

    private T newestPresent() {
        return present.values().stream()
                .max(Comparator.comparing(ObjectCache::age))
                .orElseThrow();
    }

    /** Returns a key for the order of creation: timestamps of the API server can be compared as texts. */
    private static String age(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return metadata.getCreationTimestamp() + metadata.getUid();
    }
}
