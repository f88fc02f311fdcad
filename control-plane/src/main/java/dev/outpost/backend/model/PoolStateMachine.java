package dev.outpost.backend.model;

import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Decides which machines of a pool are started or ended. Like {@link MachineStateMachine} it has no clock and no SQL.
 */
public final class PoolStateMachine {
    /** The number of failures in a row after which no more machines are started. */
    public static final int ATTEMPTS = 6;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

    private PoolStateMachine() {}

    /** An unclaimed machine of a pool. */
    public record Member(UUID id, Phase phase, Instant since) {}

    /**
     * The state of a pool as it was observed.
     *
     * @param members the machines that have not ended
     * @param claims the number of claims within the pool's time
     * @param failures the reasons of the members that failed since the last check
     * @param isCrowded true if requests wait because clusters are full
     */
    public record PoolSnapshot(List<Member> members, int claims, List<String> failures, boolean isCrowded) {}

    /** The actions that follow. */
    public record Plan(Pool row, int start, List<UUID> end) {}

    public static Plan plan(Pool pool, PoolSnapshot snapshot, Instant now) {
        boolean isWell = snapshot.failures().isEmpty()
                && snapshot.members().stream().anyMatch(member -> member.phase() == Phase.READY);
        int failures = isWell ? 0 : pool.failures() + snapshot.failures().size();
        Optional<Instant> retry = isWell
                ? Optional.empty()
                : snapshot.failures().isEmpty() ? pool.retryAt() : Optional.of(now.plus(pause(failures)));
        boolean mayStart = failures < ATTEMPTS && retry.filter(now::isBefore).isEmpty();
        int wanted = wanted(pool, snapshot);
        int start = mayStart ? Math.max(0, wanted - snapshot.members().size()) : 0;
        List<UUID> end = snapshot.members().stream()
                .sorted(Comparator.comparing((Member member) -> member.phase() == Phase.READY)
                        .thenComparing(Member::since)
                        .thenComparing(Member::id))
                .limit(Math.max(0, snapshot.members().size() - wanted))
                .map(Member::id)
                .toList();
        String text = text(pool, snapshot, wanted, failures, retry, now);
        return new Plan(pool.after(failures, retry, now, text), start, end);
    }

    /**
     * Returns the number of machines that should wait: the number of recent claims within the pool's bounds, or 0 while requests need the
     * room.
     */
    private static int wanted(Pool pool, PoolSnapshot snapshot) {
        return pool.isPaused() || snapshot.isCrowded() ? 0 : Math.clamp(snapshot.claims(), pool.min(), pool.max());
    }

    private static Duration pause(int failures) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
    }

    private static String text(
            Pool pool, PoolSnapshot snapshot, int wanted, int failures, Optional<Instant> retry, Instant now) {
        if (!snapshot.failures().isEmpty()) {
            return (failures < ATTEMPTS
                            ? "a machine failed, attempt " + failures + ", and another is started at "
                                    + retry.orElse(now).truncatedTo(ChronoUnit.SECONDS)
                            : "no more are started after " + failures + " failures; change the pool to try again")
                    + ": " + snapshot.failures().getFirst();
        }
        if (failures >= ATTEMPTS || retry.filter(now::isBefore).isPresent()) {
            return pool.text();
        }
        if (pool.isPaused()) {
            return "it is paused";
        }
        if (snapshot.isCrowded()) {
            return "it makes room for requests that wait";
        }
        long ready = snapshot.members().stream()
                .filter(member -> member.phase() == Phase.READY)
                .count();
        return ready + " of " + wanted + " wait for a request";
    }
}
