package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.Optional;

/**
 * The use of a grant.
 *
 * @param tokenSha256 the hash of its token, in hex
 * @param terms its current terms
 * @param sessions the number of its open sessions
 * @param lastSeen the time at which one of its clients last sent a frame; empty if none ever did
 * @param liveBytes bytes of the values of its sessions
 * @param engineNanos engine time of its sessions in nanoseconds, including ended sessions
 */
public record GrantStats(
        String tokenSha256,
        GrantTerms terms,
        int sessions,
        Optional<Instant> lastSeen,
        long liveBytes,
        long engineNanos) {}
