package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/** A key as the API shows it; its text only in the answer that made it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeyView(
        String id,
        String name,
        String project,
        String member,
        List<KeyScope> scopes,
        Instant created,
        String createdBy,
        Instant expires,
        Instant revoked,
        String replacedBy,
        String key) {
    /** The same, without the secret. */
    public KeyView withoutText() {
        return new KeyView(id, name, project, member, scopes, created, createdBy, expires, revoked, replacedBy, null);
    }
}
