package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a grant.
 *
 * @param tokenSha256 the SHA-256 of the token, in hex
 * @param owner the name of the token's owner
 * @param expires the time at which it expires; absent if it never does
 * @param memoryBytes the maximum number of bytes of the values of all its sessions together; no limit if absent
 * @param weight the share of engine time of its sessions, relative to other grants
 * @param sessions the maximum number of open sessions; no limit if absent
 * @param revoked the time at which it was revoked
 * @param told true if the machine has the grant in this version
 * @param use the use that the machine last reported
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GrantView(
        String tokenSha256,
        String owner,
        GrantRole role,
        Instant created,
        @Nullable Instant expires,
        @Nullable Long memoryBytes,
        int weight,
        @Nullable Integer sessions,
        @Nullable Instant revoked,
        boolean told,
        long version,
        @Nullable UseView use) {

    /**
     * The use of a grant, as the machine last reported it.
     *
     * @param sessions the number of open sessions
     * @param lastSeen the time at which a client of the grant was last heard
     * @param liveBytes the number of bytes of the values of its sessions
     * @param engineNanos the engine time of its sessions, in nanoseconds
     * @param reported the time of the report
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UseView(
            int sessions, @Nullable Instant lastSeen, long liveBytes, long engineNanos, Instant reported) {}
}
