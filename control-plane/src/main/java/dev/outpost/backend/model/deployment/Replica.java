package dev.outpost.backend.model.deployment;

import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A machine of a deployment.
 *
 * @param phase the phase of the machine
 * @param machineText a sentence about the machine
 * @param hasServed true if a gateway has once loaded the model there
 * @param drainingSince the time since which it gets no new requests
 * @param uses the latest reports of gateways
 */
public record Replica(
        UUID machine,
        int revision,
        Phase phase,
        String machineText,
        boolean hasServed,
        Optional<Instant> drainingSince,
        List<Use> uses) {
    /** The prefix of the owner of a replica's machine. The name of its deployment follows. */
    public static final String OWNER = "deployment ";

    /**
     * The latest report of a gateway about a replica.
     *
     * @param requests the number of requests that wait there or are computed
     * @param cacheUse the used part of the cache, 0 to 1
     * @param text the reason of its failure
     */
    public record Use(
            String gateway, ReplicaState state, int requests, double cacheUse, String text, Instant reported) {
        public Use {
            Objects.requireNonNull(state, "state");
            if (requests < 0 || !(cacheUse >= 0 && cacheUse <= 1)) {
                throw new IllegalArgumentException(
                        "replica: expected requests >= 0 and a use of 0 to 1, got " + requests + " and " + cacheUse);
            }
        }
    }

    public Replica {
        uses = List.copyOf(uses);
    }

    public boolean isDraining() {
        return drainingSince.isPresent();
    }

    boolean isOver() {
        return phase == Phase.ENDED || phase == Phase.ENDING;
    }

    /** True if a gateway has reported after {@code since} that the replica can serve. */
    boolean serves(Instant since) {
        return !isOver() && recent(since).stream().anyMatch(use -> use.state() == ReplicaState.SERVING);
    }

    /**
     * Returns the reason why the replica cannot serve, as a gateway reported it; empty if another gateway reported
     * that it serves.
     */
    Optional<String> failure(Instant since) {
        return serves(since)
                ? Optional.empty()
                : recent(since).stream()
                        .filter(use -> use.state() == ReplicaState.FAILED)
                        .map(Use::text)
                        .findFirst();
    }

    long requests(Instant since) {
        return recent(since).stream().mapToLong(Use::requests).sum();
    }

    /** Returns the largest cache use that a gateway reported. */
    double cacheUse(Instant since) {
        return recent(since).stream().mapToDouble(Use::cacheUse).max().orElse(0);
    }

    /**
     * True if no gateway has running requests at the replica. This is the case if each gateway reported that it has finished, or is silent
     * and last reported no requests.
     */
    boolean isDrained(Instant since) {
        return uses.stream()
                .allMatch(use -> use.state() == ReplicaState.DRAINED
                        || use.state() == ReplicaState.FAILED
                        || use.reported().isBefore(since) && use.requests() == 0);
    }

    private List<Use> recent(Instant since) {
        return uses.stream().filter(use -> !use.reported().isBefore(since)).toList();
    }
}
