package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The use of a machine's memory by its grants.
 *
 * @param memoryBytes the number of bytes that is reserved for all grants together; present if and only if the machine is shared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sharing(SharingMode mode, @Nullable Long memoryBytes) {

    /** The modes in which grants use a machine. */
    public enum SharingMode {
        /** No memory is reserved for a grant. */
        EXCLUSIVE,

        /** A part of the memory is reserved for each grant. */
        SHARED
    }
}
