package dev.outpost.rest.machine;

import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.Optional;

/**
 * The request of a client.
 *
 * @param tokenSha256 the SHA-256 of its token, in hex
 * @param expires until when it opens the machine
 * @param memoryBytes what the values of all its sessions together may take
 * @param weight of its sessions against those of other grants; 100 unless given
 * @param sessions how many it may have at once
 * @param role {@code USE} unless given, or {@code OBSERVE}, which opens no session
 */
public record GrantRequest(
        String tokenSha256,
        String owner,
        Instant expires,
        Long memoryBytes,
        Integer weight,
        Integer sessions,
        GrantRole role) {

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
        GrantTerms terms = GrantTerms.ALL
                .withExpires(Optional.ofNullable(expires))
                .withRole(Optional.ofNullable(role).orElse(GrantRole.USE).role());
        terms = memoryBytes == null ? terms : terms.withMemoryBytes(memoryBytes);
        terms = weight == null ? terms : terms.withWeight(weight);
        return sessions == null ? terms : terms.withSessions(sessions);
    }
}
