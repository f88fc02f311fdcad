package dev.outpost.rest.tenant;

import org.jspecify.annotations.Nullable;

/**
 * A login by a code of the issuer, with the proof that the sender asked for the code (RFC 7636).
 *
 * @param verifier the text whose SHA-256 was in the authorization request
 * @param redirect the redirect address of the authorization request
 * @param nonce the nonce of the authorization request
 * @param organisation the organisation of the key; needed if groups give roles in several
 * @param project the project of the key
 */
public record CodeRequest(
        String code,
        String verifier,
        String redirect,
        String nonce,
        @Nullable String organisation,
        @Nullable String project) {
    @Override
    public String toString() {
        return "CodeRequest[hidden, " + organisation + ", " + project + "]";
    }
}
