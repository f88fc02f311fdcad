package dev.outpost.backend.model;

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
 * @param phase how far the machine is
 * @param machineText a sentence about the machine
 * @param hasServed whether a gateway has had the model loaded there
 * @param drainingSince since when it gets no new requests
 * @param uses how gateways use it
 */
public record Replica(
        UUID machine,
        int revision,
        Phase phase,
        String machineText,
        boolean hasServed,
        Optional<Instant> drainingSince,
        List<Use> uses) {

    /**
     * The latest report of a gateway about it.
     *
     * @param requests those that wait there or are computed
     * @param cacheUse the used part of the cache, 0 to 1
     * @param text why it failed
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

    /** True if a gateway reported since then that the replica can serve. */
    boolean serves(Instant since) {
        return !isOver() && recent(since).stream().anyMatch(use -> use.state() == ReplicaState.SERVING);
    }

    /** Returns the reason that a gateway gave why the replica cannot serve; empty if it serves at another gateway. */
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

    /** The fullest cache of any gateway's. */
    double cacheUse(Instant since) {
        return recent(since).stream().mapToDouble(Use::cacheUse).max().orElse(0);
    }

    /** True if no gateway has requests under way there: each reported that it is done, or is silent and last reported no requests. */
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
