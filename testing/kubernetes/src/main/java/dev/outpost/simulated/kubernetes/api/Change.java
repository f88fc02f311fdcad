package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A change of an object.
 *
 * @param version the resource version of the change
 * @param object the object after the change; the last state of a removed object
 * @param before the object before the change, if it existed
 */
public record Change(Type type, long version, ResourcePath path, ObjectNode object, Optional<ObjectNode> before) {

    /** The kind of the change, in the words of a watch. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** Returns true if it changed one of these. */
    public boolean isOf(Class<? extends HasMetadata> type) {
        return path.isOf(HasMetadata.getGroup(type), HasMetadata.getPlural(type));
    }
}
