package dev.outpost.rest.tenant;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A new key of a person who has logged in.
 *
 * @param key the text of the key, which no other answer shows
 * @param project the project of the key; absent for a key of the whole organisation
 * @param subject the issuer's name of the person
 * @param expires the time at which the key expires
 */
public record LoggedIn(
        String key,
        String organisation,
        @Nullable String project,
        String subject,
        List<KeyScope> scopes,
        Instant expires) {}
