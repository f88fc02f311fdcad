package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a quota. Amounts are in the unit of the resource.
 *
 * @param project the project that it limits; the organisation if absent
 * @param gpu the kind of GPU that it limits; all kinds together if absent
 * @param allowed the largest amount
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QuotaView(
        String name,
        @Nullable String project,
        QuotaResource resource,
        @Nullable String gpu,
        long allowed,
        long used,
        long left,
        long version) {}
