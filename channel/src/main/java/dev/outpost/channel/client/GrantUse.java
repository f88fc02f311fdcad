package dev.outpost.channel.client;

import java.time.Instant;
import java.util.Optional;

/**
 * How a grant of a machine is used.
 *
 * @param tokenSha256 the hash of its token, in hex
 * @param sessions how many are open
 * @param lastSeen when a client of it was last heard, by the machine's clock; nothing where none ever was
 * @param liveBytes what the values of its sessions take
 * @param engineNanos what its sessions have had of the engine's time since the machine started
 */
public record GrantUse(
        String tokenSha256, int sessions, Optional<Instant> lastSeen, long liveBytes, long engineNanos) {}
