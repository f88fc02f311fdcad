package dev.outpost.rest.tenant;

import org.jspecify.annotations.Nullable;

/**
 * A login by an ID token of the issuer.
 *
 * @param organisation the organisation of the key; needed if groups give roles in several
 * @param project the project of the key
 */
public record LoginRequest(
        String idToken,
        @Nullable String organisation,
        @Nullable String project) {
    @Override
    public String toString() {
        return "LoginRequest[hidden, " + organisation + ", " + project + "]";
    }
}
