package dev.outpost.rest.machine;

import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request for a grant, which gives another token access to a machine.
 *
 * @param tokenSha256 the SHA-256 of the token, in hex
 * @param owner the name of the token's owner in lists
 * @param expires the time at which the grant expires; never by default
 * @param memoryBytes the maximum number of bytes of the values of all its sessions together; no limit by default
 * @param weight the share of engine time of its sessions, relative to other grants; 100 by default
 * @param sessions the maximum number of open sessions; no limit by default
 * @param role {@code USE} by default; {@code OBSERVE} opens no session
 */
public record GrantRequest(
        String tokenSha256,
        String owner,
        @Nullable Instant expires,
        @Nullable Long memoryBytes,
        @Nullable Integer weight,
        @Nullable Integer sessions,
        @Nullable GrantRole role) {

    /** Lets a token open a machine with these terms. */
    public static GrantRequest of(String tokenSha256, String owner, GrantTerms terms) {
        boolean isPlain = terms.equals(GrantTerms.ALL);
        return new GrantRequest(
                tokenSha256,
                owner,
                terms.expires().orElse(null),
                terms.memoryBytes().isPresent() ? terms.memoryBytes().getAsLong() : null,
                isPlain ? null : terms.weight(),
                terms.sessions().isPresent() ? terms.sessions().getAsInt() : null,
                isPlain ? null : GrantRole.of(terms.role()));
    }

    public GrantTerms terms() {
        GrantTerms terms = GrantTerms.ALL.withRole(
                Optional.ofNullable(role).orElse(GrantRole.USE).role());
        terms = expires == null ? terms : terms.withExpires(expires);
        terms = memoryBytes == null ? terms : terms.withMemoryBytes(memoryBytes);
        terms = weight == null ? terms : terms.withWeight(weight);
        return sessions == null ? terms : terms.withSessions(sessions);
    }
}
