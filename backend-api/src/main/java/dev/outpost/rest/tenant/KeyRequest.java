package dev.outpost.rest.tenant;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request for a key.
 *
 * @param project the project of the key; the whole organisation by default
 * @param member the member who owns the key, if any: the member's role limits the rights of the key, and the key has
 *     no rights after the member is removed
 * @param scopes the rights of the key
 * @param expires the time at which the key expires
 */
public record KeyRequest(
        String name,
        @Nullable String project,
        @Nullable String member,
        List<KeyScope> scopes,
        @Nullable Instant expires) {}
