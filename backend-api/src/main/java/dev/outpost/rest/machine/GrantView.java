package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/** A grant as the API shows it; {@code told} once the machine knows of it as it is. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GrantView(
        String tokenSha256,
        String owner,
        GrantRole role,
        Instant created,
        Instant expires,
        Long memoryBytes,
        int weight,
        Integer sessions,
        Instant revoked,
        boolean told,
        long version,
        UseView use) {

    /**
     * The use of a grant, as the machine reported it last.
     *
     * @param lastSeen when a client of it was last heard
     * @param engineNanos what its sessions have had of the engine's time
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UseView(int sessions, Instant lastSeen, long liveBytes, long engineNanos, Instant reported) {}
}
