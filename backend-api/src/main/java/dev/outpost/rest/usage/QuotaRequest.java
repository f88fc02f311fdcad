package dev.outpost.rest.usage;

import org.jspecify.annotations.Nullable;

/**
 * A quota.
 *
 * @param project the project that it limits; the organisation by default
 * @param gpu the kind of GPU that it limits; all kinds together by default
 * @param allowed the largest amount, in the unit of the resource
 */
public record QuotaRequest(
        @Nullable String project,
        QuotaResource resource,
        @Nullable String gpu,
        @Nullable Long allowed) {}
