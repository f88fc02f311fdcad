package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a key.
 *
 * @param project the project of the key; absent for a key of the whole organisation
 * @param member the owner of the key, if it is a member's
 * @param createdBy the id of the key that made it
 * @param expires the time at which it expires
 * @param revoked the time at which it was revoked
 * @param replacedBy the id of the key that replaces it
 * @param version the version of its settings
 * @param key the text of the key; only in the answer that made it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeyView(
        String id,
        String name,
        @Nullable String project,
        @Nullable String member,
        List<KeyScope> scopes,
        Instant created,
        String createdBy,
        @Nullable Instant expires,
        @Nullable Instant revoked,
        @Nullable String replacedBy,
        long version,
        @Nullable String key) {
    /** Returns a copy without the text of the key. */
    public KeyView withoutText() {
        return new KeyView(
                id, name, project, member, scopes, created, createdBy, expires, revoked, replacedBy, version, null);
    }
}
