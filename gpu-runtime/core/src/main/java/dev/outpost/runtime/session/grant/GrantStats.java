package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.Optional;

/**
 * How a grant is used.
 *
 * @param tokenSha256 the hash of its token, in hex
 * @param terms those of this moment
 * @param sessions how many are open
 * @param lastSeen when a client of it was last heard; nothing where none ever was
 * @param liveBytes what the values of its sessions take
 * @param engineNanos what its sessions have had of the engine's time, those included that are gone
 */
public record GrantStats(
        String tokenSha256,
        GrantTerms terms,
        int sessions,
        Optional<Instant> lastSeen,
        long liveBytes,
        long engineNanos) {}
