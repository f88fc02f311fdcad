package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;

/** @param memoryBytes how much is promised to all grants together; there if and only if the machine is shared */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Sharing(SharingMode mode, Long memoryBytes) {}
