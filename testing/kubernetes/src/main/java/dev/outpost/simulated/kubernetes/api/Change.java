package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Something that has happened to an object.
 *
 * @param version the resource version at which it happened
 * @param object as it is now; of one that was removed, as it was last
 * @param before as it was, where it was there before
 */
public record Change(Type type, long version, ResourcePath path, ObjectNode object, Optional<ObjectNode> before) {

    /** In the words of a watch. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** Whether it happened to one of these. */
    public boolean isOf(Class<? extends HasMetadata> type) {
        return path.isOf(HasMetadata.getGroup(type), HasMetadata.getPlural(type));
    }
}
