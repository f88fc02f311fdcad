package dev.outpost.rest.tenant;

import org.jspecify.annotations.Nullable;

/**
 * The request for a session of a browser, by a key or by a code of the issuer.
 *
 * @param key the text of a key
 * @param code a code of the authorization code flow
 */
public record BrowserSessionRequest(
        @Nullable String key, @Nullable CodeRequest code) {
    @Override
    public String toString() {
        return "BrowserSessionRequest[hidden]";
    }
}
