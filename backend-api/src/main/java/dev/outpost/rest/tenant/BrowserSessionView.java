package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session of a browser.
 *
 * @param keyId the id of the key
 * @param keyName the name of the key
 * @param project the project of the key; absent for a key of the whole organisation
 * @param member the owner of the key, if it is a member's
 * @param scopes the rights of the session
 * @param isLogin true if the key is of a login by the issuer, so that logging out revokes it
 * @param csrfToken the value of the header X-CSRF-Token of requests that change state
 * @param expires the time at which the session expires
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BrowserSessionView(
        String keyId,
        String keyName,
        String organisation,
        @Nullable String project,
        @Nullable String member,
        List<KeyScope> scopes,
        boolean isLogin,
        String csrfToken,
        Instant expires) {}
