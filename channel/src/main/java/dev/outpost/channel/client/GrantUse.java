package dev.outpost.channel.client;

import java.time.Instant;
import java.util.Optional;

/**
 * The current use of a grant of a machine.
 *
 * @param tokenSha256 the hash of its token, in hex
 * @param sessions the number of its open sessions
 * @param lastSeen the time of the last message from a client of the grant, by the machine's clock; empty if none came
 * @param liveBytes the bytes of the values of its sessions
 * @param engineNanos the engine time of its sessions since the machine's start, in nanoseconds
 */
public record GrantUse(
        String tokenSha256, int sessions, Optional<Instant> lastSeen, long liveBytes, long engineNanos) {}
