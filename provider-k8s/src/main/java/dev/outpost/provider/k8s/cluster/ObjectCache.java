package dev.outpost.provider.k8s.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Which objects of a kind there are, by what was seen of them. */
public final class ObjectCache<T extends HasMetadata> {
    private final Map<String, T> present = new HashMap<>();
    private T last;

    /** There are these and no others. */
    public void list(List<T> objects) {
        present.clear();
        objects.forEach(this::put);
    }

    /** True if these objects are known in these versions, and no others. */
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

    /** It is no more; this is how it looked in the end. */
    public void remove(T object) {
        present.remove(object.getMetadata().getUid());
        last = present.isEmpty() ? object : newestPresent();
    }

    /** The newest object there is, or the last one there was. */
    public Optional<T> newest() {
        return Optional.ofNullable(last);
    }

    /** All objects that there are, in no order. */
    public List<T> present() {
        return List.copyOf(present.values());
    }

    /** Whether there was one and is none. */
    public boolean isGone() {
        return present.isEmpty() && last != null;
    }

    private T newestPresent() {
        return present.values().stream()
                .max(Comparator.comparing(ObjectCache::age))
                .orElseThrow();
    }

    /** Timestamps of the API server compare as texts. */
    private static String age(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return metadata.getCreationTimestamp() + metadata.getUid();
    }
}
