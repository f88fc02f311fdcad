package dev.outpost.rest.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * How a grant is used, as the machine said it last.
 *
 * @param lastSeen when a client of it was last heard
 * @param engineNanos what its sessions have had of the engine's time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UseView(int sessions, Instant lastSeen, long liveBytes, long engineNanos, Instant reported) {}
