package dev.outpost.rest.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a pool.
 *
 * @param gpu a kind of the catalogue, or {@code any}
 * @param min the minimum number of waiting machines
 * @param max the maximum number of waiting machines
 * @param idle the period in which claims are counted
 * @param lease the lease of the requests that get its machines
 * @param failures the number of machines that failed in a row
 * @param retryAt the time before which no machine is started
 * @param text a sentence about its state
 * @param members its machines
 */
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
        @Nullable Instant retryAt,
        String text,
        List<PoolMemberView> members) {

    /**
     * A machine of a pool, which waits or starts.
     *
     * @param since the time at which the phase began
     */
    public record PoolMemberView(UUID machine, Phase phase, Instant since) {}
}
