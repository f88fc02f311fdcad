package dev.outpost.rest.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A pool as the API shows it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PoolView(
        String name,
        long version,
        String gpu,
        int min,
        int max,
        Duration idle,
        Duration lease,
        boolean paused,
        int failures,
        Instant retryAt,
        String text,
        List<PoolMemberView> members) {

    /** A machine that waits, or is on its way. */
    public record PoolMemberView(UUID machine, Phase phase, Instant since) {}
}
