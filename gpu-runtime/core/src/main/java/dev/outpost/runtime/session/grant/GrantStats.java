package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.Optional;

/**
 * The use of a grant.
 *
 * @param tokenSha256 the SHA-256 of the grant's token, in hex
 * @param terms the grant's current terms
 * @param sessions the number of open sessions with this grant
 * @param lastSeen the time at which a client with this grant last sent a frame; empty if none ever did
 * @param liveBytes bytes of the values of all sessions with this grant
 * @param engineNanos engine time of all sessions with this grant in nanoseconds, including ended sessions
 */
public record GrantStats(
        String tokenSha256,
        GrantTerms terms,
        int sessions,
        Optional<Instant> lastSeen,
        long liveBytes,
        long engineNanos) {}
