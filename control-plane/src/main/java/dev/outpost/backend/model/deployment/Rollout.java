package dev.outpost.backend.model.deployment;

import dev.outpost.backend.model.MachineStateMachine;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The life of a deployment: computes the next row from its load and its replicas. Like {@link MachineStateMachine} it has no clock and no
 * SQL. It scales replicas to the load, rolls out revisions, and rolls back a revision if none of its replicas serves.
 */
public final class Rollout {
    /** The silence after which the requests of a gateway do not count any more. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    /**
     * The time for which fewer replicas must be enough before a replica is removed. For the last replica the
     * deployment's idle time applies.
     */
    static final Duration SETTLE = Duration.ofSeconds(60);

    /** The time after which a draining replica is ended even with running requests. */
    static final Duration DRAIN = Duration.ofMinutes(10);

    /** The number of failed replicas in a row after which a revision is given up. */
    static final int ATTEMPTS = 3;

    private static final double FULL = 0.9;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private Rollout() {}

    /**
     * The actions that follow.
     *
     * @param row the deployment from now on
     * @param start the number of replicas to start
     * @param drain replicas that get no new requests from now on
     * @param end replicas whose machines are to end
     * @param forget replicas that have ended
     * @param proven replicas that serve for the first time
     * @param failure the reason why the new revision is given up
     */
    public record Plan(
            Deployment row,
            int start,
            List<UUID> drain,
            List<UUID> end,
            List<UUID> forget,
            List<UUID> proven,
            Optional<String> failure) {}

    /**
     * Plans the next step. It does not scale down or end replicas because of silent gateways before gateways had time to report.
     *
     * @param held the requests that wait for a replica at gateways
     * @param heardSince the time since which this process has received reports of gateways without a pause
     */
    public static Plan plan(Deployment row, List<Replica> replicas, int held, Instant heardSince, Instant now) {
        Instant since = now.minus(SILENCE);
        List<Replica> live = replicas.stream().filter(one -> !one.isOver()).toList();
        List<UUID> proven = live.stream()
                .filter(one -> !one.hasServed() && one.serves(since))
                .map(Replica::machine)
                .toList();
        List<Replica> failed =
                live.stream().filter(one -> one.failure(since).isPresent()).toList();
        Deployment scaled = row.isRemoved() ? row : scale(row, live, held, heardSince, now);
        Outcome outcome = judge(scaled, replicas, live, now);
        Deployment next = outcome.row();

        List<Replica> usable =
                live.stream().filter(one -> !failed.contains(one)).toList();
        List<Replica> current = usable.stream()
                .filter(one -> one.revision() == next.revision() && !one.isDraining())
                .toList();
        boolean mayStart = next.retryAt().filter(now::isBefore).isEmpty();
        int start = mayStart ? Math.max(0, next.wanted() - current.size()) : 0;
        List<UUID> drain = new ArrayList<>(surplus(current, next.wanted(), since));
        drain.addAll(superseded(next, usable, current, since));

        List<UUID> end = new ArrayList<>(failed.stream().map(Replica::machine).toList());
        usable.stream().filter(one -> isToEnd(one, heardSince, now)).forEach(one -> end.add(one.machine()));
        return new Plan(
                next.saying(sentence(next, live, held, since, now, outcome.failure())),
                start,
                drain,
                end,
                replicas.stream()
                        .filter(one -> one.phase() == Phase.ENDED)
                        .map(Replica::machine)
                        .toList(),
                proven,
                outcome.failure());
    }

    // ---- load

    private static Deployment scale(Deployment row, List<Replica> live, int held, Instant heardSince, Instant now) {
        Instant since = now.minus(SILENCE);
        List<Replica> serving = live.stream()
                .filter(one -> one.serves(since) && !one.isDraining())
                .toList();
        long demand = held + live.stream().mapToLong(one -> one.requests(since)).sum();
        Instant busy = demand > 0 ? now : row.busyAt();
        int needed = needed(row.scale(), serving, demand, since);
        if (needed >= row.wanted()) {
            return row.scaled(needed, busy, Optional.empty());
        }
        if (heardSince.isAfter(since)) {
            return row.scaled(row.wanted(), busy, Optional.empty());
        }
        Instant low = row.lowSince().orElse(now);
        int floor = needed > 0 || isIdle(row.scale(), busy, now) ? needed : 1;
        boolean isSettled = floor == 0 || !now.isBefore(low.plus(SETTLE));
        return isSettled && floor < row.wanted()
                ? row.scaled(floor, busy, Optional.empty())
                : row.scaled(row.wanted(), busy, Optional.of(low));
    }

    private static int needed(Scale scale, List<Replica> serving, long demand, Instant since) {
        long byRequests = Math.ceilDiv(demand, scale.target());
        boolean isFull = !serving.isEmpty()
                && serving.stream()
                                .mapToDouble(one -> one.cacheUse(since))
                                .average()
                                .orElse(0)
                        > FULL;
        return scale.clamp(isFull ? Math.max(byRequests, serving.size() + 1) : byRequests);
    }

    private static boolean isIdle(Scale scale, Instant busy, Instant now) {
        return !now.isBefore(busy.plus(scale.idle()));
    }

    // ---- revisions

    /** The row after its revision was judged, and the reason if the revision is given up. */
    private record Outcome(Deployment row, Optional<String> failure) {}

    private static Outcome judge(Deployment row, List<Replica> replicas, List<Replica> live, Instant now) {
        Instant since = now.minus(SILENCE);
        boolean serves = live.stream().anyMatch(one -> one.revision() == row.revision() && one.serves(since));
        if (serves) {
            return new Outcome(
                    row.rolled(row.revision(), Optional.of(row.revision()), 0, Optional.empty()), Optional.empty());
        }
        List<String> failures = replicas.stream()
                .filter(one -> one.revision() == row.revision() && !one.hasServed())
                .flatMap(one -> failure(one, since).stream())
                .toList();
        if (failures.isEmpty()) {
            return new Outcome(row, Optional.empty());
        }
        int failed = row.failures() + failures.size();
        Optional<Integer> before = row.proven().filter(number -> number != row.revision());
        if (failed >= ATTEMPTS && before.isPresent()) {
            return new Outcome(row.rolled(before.get(), before, 0, Optional.empty()), Optional.of(failures.getFirst()));
        }
        Instant retry = now.plus(pause(failed)).truncatedTo(ChronoUnit.SECONDS);
        return new Outcome(
                row.rolled(row.revision(), row.proven(), failed, Optional.of(retry))
                        .saying(failing(row) + ", attempt " + failed + ": " + failures.getFirst()
                                + "; it is not tried again before " + retry),
                Optional.empty());
    }

    /**
     * Returns the reason why a replica never served: its machine ended by itself, or the model could not be loaded. A failed load counts
     * even while the replica drains, because it may drain because its gateway was silent, and the requests of that gateway still wait.
     */
    private static Optional<String> failure(Replica one, Instant since) {
        if (one.phase() == Phase.ENDED) {
            return one.isDraining() ? Optional.empty() : Optional.of(one.machineText());
        }
        return one.isOver() ? Optional.empty() : one.failure(since);
    }

    private static Duration pause(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /** Returns the replicas to remove: first those that do not serve yet, then the least used. */
    private static List<UUID> surplus(List<Replica> current, int wanted, Instant since) {
        return current.stream()
                .sorted(Comparator.comparing((Replica one) -> one.serves(since))
                        .thenComparing(one -> one.requests(since))
                        .thenComparing(Replica::machine))
                .limit(Math.max(0, current.size() - wanted))
                .map(Replica::machine)
                .toList();
    }

    /** Returns the replicas of other revisions, as soon as enough replicas of this revision serve. */
    private static List<UUID> superseded(Deployment row, List<Replica> usable, List<Replica> current, Instant since) {
        long serving = current.stream().filter(one -> one.serves(since)).count();
        if (serving < row.wanted()) {
            return List.of();
        }
        return usable.stream()
                .filter(one -> one.revision() != row.revision() && !one.isDraining())
                .map(Replica::machine)
                .toList();
    }

    private static boolean isToEnd(Replica one, Instant heardSince, Instant now) {
        Instant since = now.minus(SILENCE);
        Instant silent = heardSince.isAfter(since) ? Instant.MIN : since;
        return one.drainingSince()
                .map(begun -> begun.isAfter(heardSince) ? begun : heardSince)
                .filter(begun -> one.isDrained(silent) || !now.isBefore(begun.plus(DRAIN)))
                .isPresent();
    }

    /** Returns the beginning of the deployment's text until a replica of the revision serves. Requests are refused with this text. */
    private static String failing(Deployment row) {
        return "revision " + row.revision() + " does not start";
    }

    private static String sentence(
            Deployment row, List<Replica> live, int held, Instant since, Instant now, Optional<String> failure) {
        if (failure.isPresent()) {
            return "rolled back to revision " + row.revision() + ": " + failure.get();
        }
        if (row.isRemoved()) {
            return "it is removed once its replicas are over";
        }
        boolean isReasonKnown = row.failures() > 0 && row.text().startsWith(failing(row));
        if (isReasonKnown || row.retryAt().filter(now::isBefore).isPresent()) {
            return row.text();
        }
        long serving = live.stream()
                .filter(one -> one.serves(since) && !one.isDraining())
                .count();
        String counts = serving + " of " + row.wanted() + " replicas serve";
        return row.wanted() == 0
                ? "it has no replica until it is asked"
                : held > 0 ? counts + "; " + held + " requests wait for one" : counts;
    }
}
