package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;

/** A quota as the API shows it, with its use. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QuotaView(
        String name,
        String project,
        QuotaResource resource,
        String gpu,
        long allowed,
        long used,
        long left,
        long version) {}
