package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;

/** @param memoryBytes how much is promised to all grants together; there if and only if the machine is shared */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sharing(SharingMode mode, Long memoryBytes) {

    /** The two ways of using a machine. */
    public enum SharingMode {
        /** Nothing of its memory is promised to any grant. */
        EXCLUSIVE,

        /** Each grant has a part of its memory that no other grant can take. */
        SHARED
    }
}
