package dev.outpost.backend.model;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.machine.Phase.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The life of a machine: computes the next row from a row and an observation. Production, simulation and tests all use this class. An
 * observation that is late, repeated or of another epoch does no harm.
 */
public final class MachineStateMachine {
    private final LifeSettings settings;

    public MachineStateMachine(LifeSettings settings) {
        this.settings = settings;
    }

    public Transition apply(Machine row, Observation observation, Instant now) {
        boolean isStale =
                observation.about().filter(epoch -> epoch != row.epoch()).isPresent();
        if (row.phase() == Phase.ENDED || isStale) {
            return unchanged(row);
        }
        Optional<Transition> timeout = timeout(row, observation, now);
        if (timeout.isPresent() && !isEnd(observation)) {
            return timeout.get();
        }
        return switch (observation) {
            case Observation.Tick it -> tick(row);
            case Observation.Held it -> held(row, it, now);
            case Observation.Placed it -> placed(row, it, now);
            case Observation.Claimed it -> claimed(row, it, now);
            case Observation.Taken it -> taken(row, it, now);
            case Observation.Starting it -> starting(row, it, now);
            case Observation.Serving it -> serving(row, it, now);
            case Observation.Unreachable it -> unseen(row, it.text(), it.until(), now);
            case Observation.Stopping it -> stopping(row, it, now);
            case Observation.Stopped it -> stopped(row, it, now);
            case Observation.Missing it -> missing(row, it.until(), now);
            case Observation.Refused it -> refused(row, it, now);
            case Observation.Bound it -> bound(row, now);
            case Observation.GrantsChanged it -> grantsChanged(row);
            case Observation.EndAsked it -> end(row, EndReason.REQUESTED, it.text(), now);
            case Observation.Extended it -> extended(row, it, now);
        };
    }

    /** True if the observation itself decides when the machine ends, so that timeouts are not checked first. */
    private static boolean isEnd(Observation observation) {
        return observation instanceof Observation.Stopped
                || observation instanceof Observation.EndAsked
                || observation instanceof Observation.Extended;
    }

    // ---- time

    private Optional<Transition> timeout(Machine row, Observation observation, Instant now) {
        if (row.phase() == Phase.LOST && isPast(row.since().plus(settings.lostGrace()), now)) {
            return Optional.of(over(
                    row,
                    EndReason.LOST,
                    "its cluster has not seen it for " + text(settings.lostGrace()) + "; start another",
                    now));
        }
        if (row.phase() == Phase.ENDING) {
            return Optional.empty();
        }
        if (row.phase().state() == State.QUEUED) {
            return waitTimeout(row, now);
        }
        if (row.endsAt().filter(end -> isPast(end, now)).isPresent()) {
            return Optional.of(end(
                    row,
                    EndReason.EXPIRED,
                    "its agreed life is over",
                    now,
                    lastThere(row, untilEnd(row, observation), now)));
        }
        return startTimeout(row, now);
    }

    /**
     * Returns the time until which a machine existed: the last time at which it was known to exist, or its agreed end
     * if that is earlier or no such time is known.
     */
    private static Optional<Instant> untilEnd(Machine row, Observation observation) {
        Optional<Instant> known = switch (observation) {
            case Observation.Missing it -> it.until();
            case Observation.Unreachable it -> it.until();
            default -> Optional.empty();
        };
        return known.filter(until -> row.endsAt().filter(until::isAfter).isEmpty())
                .or(row::endsAt);
    }

    /** Fails a request that has waited too long. Machines of pools wait without limit. */
    private Optional<Transition> waitTimeout(Machine row, Instant now) {
        boolean isLate = isPast(row.created().plus(settings.waitLimit()), now)
                && !row.request().organisation().equals(Pool.ORGANISATION);
        return isLate
                ? Optional.of(over(
                        row,
                        EndReason.START_TIMEOUT,
                        "it waited for " + text(settings.waitLimit()) + " (" + row.text() + "); ask for another",
                        now))
                : Optional.empty();
    }

    private Optional<Transition> startTimeout(Machine row, Instant now) {
        boolean isLate = row.phase().state() == State.STARTING
                && row.placed()
                        .filter(start -> isPast(start.plus(settings.startTimeout()), now))
                        .isPresent();
        return isLate
                ? Optional.of(end(
                        row,
                        EndReason.START_TIMEOUT,
                        "it was not ready after " + text(settings.startTimeout()) + ", stuck at: " + row.text(),
                        now))
                : Optional.empty();
    }

    private static boolean isPast(Instant time, Instant now) {
        return !now.isBefore(time);
    }

    private static String text(Duration time) {
        return time.toSeconds() % 60 == 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }

    /** Repeats the last command, because it may never have reached the cluster. */
    private static Transition tick(Machine row) {
        return switch (row.phase()) {
            case ADMITTED -> ask(row, Command.ENSURE);
            case BIND -> ask(row, Command.BIND);
            case READY -> row.grantsDue() ? ask(row, Command.BIND) : unchanged(row);
            case ENDING -> ask(row, Command.END);
            case QUOTA, POSITION, CAPACITY, NODE, IMAGE, BOOT, LOST, ENDED -> unchanged(row);
        };
    }

    // ---- the queue

    private static Transition held(Machine row, Observation.Held seen, Instant now) {
        if (row.phase().state() != State.QUEUED
                || (row.phase() == seen.why() && row.text().equals(seen.text()))) {
            return unchanged(row);
        }
        Machine next = row.change().phase(seen.why(), now).text(seen.text()).row();
        // The place in the queue changes all the time, so only another reason to wait is an event.
        return row.phase() == seen.why()
                ? new Transition(next, List.of(), Optional.empty())
                : transition(next, EventType.WAITING, now, Optional.empty());
    }

    private static Transition placed(Machine row, Observation.Placed seen, Instant now) {
        if (row.phase().state() != State.QUEUED) {
            return unchanged(row);
        }
        Machine next = row.change()
                .phase(Phase.ADMITTED, now)
                .placed(seen.cluster(), now)
                .kind(seen.kind())
                .endsAt(row.request().life().map(now::plus))
                .text("admitted to " + seen.cluster())
                .row();
        return transition(next, EventType.ADMITTED, now, Optional.of(Command.ENSURE));
    }

    private static Transition claimed(Machine row, Observation.Claimed seen, Instant now) {
        if (row.phase().state() != State.QUEUED) {
            return unchanged(row);
        }
        MachineChange change = row.change()
                .placed(seen.cluster(), now)
                .member(seen.member())
                .kind(seen.kind())
                .address(Optional.of(seen.address()))
                .endsAt(row.request().life().map(now::plus));
        if (!row.grantsDue()) {
            return ready(change, now);
        }
        Machine next =
                change.phase(Phase.BIND, now).text("it is told who may use it").row();
        return transition(next, EventType.ADMITTED, now, Optional.of(Command.BIND));
    }

    /** Ends the row without a command, because the machine continues under another row. */
    private static Transition taken(Machine row, Observation.Taken seen, Instant now) {
        if (row.phase() != Phase.READY) {
            return unchanged(row);
        }
        Machine next = row.change()
                .phase(Phase.ENDED, now)
                .end(EndReason.CLAIMED, now)
                .text("it is machine " + seen.by() + " from now on")
                .grantsDue(false)
                .row();
        return transition(next, EventType.ENDED, now, Optional.empty());
    }

    // ---- observations of the cluster

    private static Transition starting(Machine row, Observation.Starting seen, Instant now) {
        return switch (row.phase().state()) {
            case STARTING -> {
                boolean isNews = seen.phase().compareTo(row.phase()) > 0;
                boolean isSame = seen.phase() == row.phase();
                if (!isNews && (!isSame || row.text().equals(seen.text()))) {
                    yield unchanged(row);
                }
                Machine next =
                        row.change().phase(seen.phase(), now).text(seen.text()).row();
                yield isNews
                        ? transition(next, EventType.PROGRESS, now, Optional.empty())
                        : new Transition(next, List.of(), Optional.empty());
            }
            case LOST -> found(row.change(), row.lostFrom().orElse(seen.phase()), seen.text(), now);
            case ENDING -> ask(row, Command.END);
            case QUEUED, READY, ENDED -> unchanged(row);
        };
    }

    private static Transition serving(Machine row, Observation.Serving seen, Instant now) {
        return switch (row.phase().state()) {
            case STARTING ->
                row.grantsDue()
                        ? binding(row, seen, now)
                        : ready(row.change().address(Optional.of(seen.address())), now);
            case LOST ->
                row.grantsDue()
                        ? binding(row, seen, now)
                        : found(row.change().address(Optional.of(seen.address())), Phase.READY, "it is back", now);
            case ENDING -> ask(row, Command.END);
            case READY -> tick(row);
            case QUEUED, ENDED -> unchanged(row);
        };
    }

    private static Transition binding(Machine row, Observation.Serving seen, Instant now) {
        Machine next = row.change()
                .phase(Phase.BIND, now)
                .lostFrom(Optional.empty())
                .address(Optional.of(seen.address()))
                .text("it is told who may use it")
                .row();
        return row.phase() == Phase.BIND
                ? ask(row, Command.BIND)
                : transition(next, EventType.PROGRESS, now, Optional.of(Command.BIND));
    }

    private static Transition ready(MachineChange change, Instant now) {
        Machine next = change.phase(Phase.READY, now).text("ready").row();
        return transition(next, EventType.READY, now, Optional.empty());
    }

    private static Transition bound(Machine row, Instant now) {
        if (!row.grantsDue()) {
            return unchanged(row);
        }
        if (row.phase() == Phase.BIND) {
            return ready(row.change().grantsDue(false), now);
        }
        Machine told = row.change().grantsDue(false).row();
        MachineEvent event = new MachineEvent(EventType.PROGRESS, now, row.phase(), "it was told who may use it");
        return new Transition(told, List.of(event), Optional.empty());
    }

    private static Transition grantsChanged(Machine row) {
        Machine next = row.change().grantsDue(true).row();
        return new Transition(
                next, List.of(), row.phase() == Phase.READY ? Optional.of(Command.BIND) : Optional.empty());
    }

    private static Transition unseen(Machine row, String text, Optional<Instant> until, Instant now) {
        return switch (row.phase().state()) {
            case STARTING, READY -> {
                Machine next = row.change()
                        .phase(Phase.LOST, now)
                        .lostFrom(Optional.of(row.phase()))
                        .text(text)
                        .row();
                yield transition(next, EventType.LOST, lastThere(row, until, now), Optional.empty());
            }
            case ENDING -> ask(row, Command.END);
            case QUEUED, LOST, ENDED -> unchanged(row);
        };
    }

    private static Transition found(MachineChange change, Phase phase, String text, Instant now) {
        Machine next =
                change.phase(phase, now).lostFrom(Optional.empty()).text(text).row();
        return transition(next, phase == Phase.READY ? EventType.READY : EventType.FOUND, now, Optional.empty());
    }

    private static Transition stopping(Machine row, Observation.Stopping seen, Instant now) {
        return switch (row.phase().state()) {
            case STARTING, READY, LOST -> end(row, EndReason.FAILED, seen.text(), now);
            case QUEUED, ENDING, ENDED -> unchanged(row);
        };
    }

    private static Transition stopped(Machine row, Observation.Stopped seen, Instant now) {
        return row.phase().isPlaced()
                ? over(row, seen.reason(), seen.text(), now, lastThere(row, seen.until(), now))
                : unchanged(row);
    }

    /**
     * Returns the last time at which the machine was known to exist. The machine is charged until this time, because
     * it may have ended while no backend observed it. The result is not before the time at which the machine became
     * ready.
     */
    private static Instant lastThere(Machine row, Optional<Instant> until, Instant now) {
        return until.filter(known -> row.phase() == Phase.READY)
                .map(known -> known.isBefore(row.since()) ? row.since() : known)
                .filter(known -> known.isBefore(now))
                .orElse(now);
    }

    /**
     * Handles a machine that its cluster does not list. A machine that was just admitted may never have been requested. Any other machine
     * counts as lost.
     */
    private static Transition missing(Machine row, Optional<Instant> until, Instant now) {
        return switch (row.phase()) {
            case ADMITTED -> ask(row, Command.ENSURE);
            case ENDING -> over(row, row.endReason().orElse(EndReason.REQUESTED), row.text(), now);
            case NODE, IMAGE, BOOT, BIND, READY -> unseen(row, "its cluster does not list it", until, now);
            case QUOTA, POSITION, CAPACITY, LOST, ENDED -> unchanged(row);
        };
    }

    private static Transition refused(Machine row, Observation.Refused seen, Instant now) {
        boolean mayBeRefused =
                row.phase().state() == State.STARTING || row.phase().state() == State.QUEUED;
        return mayBeRefused ? over(row, EndReason.REFUSED, seen.text(), now) : unchanged(row);
    }

    // ---- the end

    private static Transition end(Machine row, EndReason reason, String text, Instant now) {
        return end(row, reason, text, now, now);
    }

    /** @param until the time at which the machine was last known to exist */
    private static Transition end(Machine row, EndReason reason, String text, Instant now, Instant until) {
        if (row.phase().state() == State.QUEUED) {
            return over(row, reason, text, now);
        }
        if (row.phase() == Phase.ENDING) {
            return ask(row, Command.END);
        }
        Machine next = row.change()
                .phase(Phase.ENDING, now)
                .lostFrom(Optional.empty())
                .end(reason, now)
                .text(text)
                .row();
        return transition(next, EventType.END_ASKED, until, Optional.of(Command.END));
    }

    private static Transition over(Machine row, EndReason reason, String text, Instant now) {
        return over(row, reason, text, now, now);
    }

    /** @param until the time at which the machine was last known to exist */
    private static Transition over(Machine row, EndReason reason, String text, Instant now, Instant until) {
        Machine next = row.change()
                .phase(Phase.ENDED, now)
                .lostFrom(Optional.empty())
                .end(reason, now)
                .text(row.phase() == Phase.ENDING ? row.text() : text)
                .grantsDue(false)
                .row();
        Optional<Command> command = row.phase().isPlaced() ? Optional.of(Command.END) : Optional.empty();
        return transition(next, EventType.ENDED, until, command);
    }

    private static Transition extended(Machine row, Observation.Extended seen, Instant now) {
        if (row.phase() == Phase.ENDING || !seen.until().isAfter(now)) {
            return unchanged(row);
        }
        Machine next = row.change().endsAt(Optional.of(seen.until())).row();
        return next.equals(row)
                ? unchanged(row)
                : new Transition(
                        next,
                        List.of(new MachineEvent(EventType.EXTENDED, now, row.phase(), seen.text())),
                        Optional.empty());
    }

    // ---- answers

    private static Transition transition(Machine next, EventType type, Instant now, Optional<Command> command) {
        return new Transition(next, List.of(new MachineEvent(type, now, next.phase(), next.text())), command);
    }

    private static Transition ask(Machine row, Command command) {
        return new Transition(row, List.of(), Optional.of(command));
    }

    private static Transition unchanged(Machine row) {
        return new Transition(row, List.of(), Optional.empty());
    }
}
