package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.MachineStateMachine;
import dev.outpost.backend.model.NextDueTime;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Transition;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.DebugLog;
import dev.outpost.rest.machine.EventType;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Carries out transitions: changes row, events, ledger and counters in one transaction. */
public final class Machines {
    private final MachineStateMachine stateMachine;
    private final LifeSettings settings;

    public Machines(LifeSettings settings) {
        this.stateMachine = new MachineStateMachine(settings);
        this.settings = settings;
    }

    /** Inserts a newly requested machine. Returns false if the id is taken. */
    public boolean create(Sql sql, Machine machine) {
        if (!MachineRows.insert(sql, machine, NextDueTime.at(machine, settings, machine.created()))) {
            return false;
        }
        if (machine.holdsQuota()) {
            QuotaRows.take(sql, machine.counted(), 1);
        }
        EventRows.append(
                sql, machine, new MachineEvent(EventType.CREATED, machine.created(), machine.phase(), machine.text()));
        return true;
    }

    /**
     * Inserts a machine whose id this backend has drawn.
     *
     * @throws IllegalStateException if a machine with this id exists
     */
    public void createNew(Sql sql, Machine machine) {
        if (!create(sql, machine)) {
            throw new IllegalStateException("machine " + machine.id() + ": there is one of this id");
        }
    }

    /** Applies an observation to a row that this transaction has locked. */
    public Transition apply(Sql sql, Machine row, Observation observation) {
        return apply(sql, row, observation, sql.now());
    }

    /** @param now the database's time, read by this transaction after it had locked the row */
    public Transition apply(Sql sql, Machine row, Observation observation, Instant now) {
        Transition next = stateMachine.apply(row, observation, now);
        if (next.changes(row)) {
            MachineRows.update(sql, next.row(), row.version(), NextDueTime.at(next.row(), settings, now));
            record(sql, row, next);
            countQuota(sql, row, next.row());
        }
        return next;
    }

    /** Locks the row with this id and applies the observation; empty if the row does not exist. */
    public Optional<Transition> apply(Sql sql, UUID id, Observation observation) {
        return MachineRows.lock(sql, id).map(row -> apply(sql, row, observation));
    }

    /** True if the observation would change the row, judged by the given row alone, without the database. */
    public boolean wouldMatter(Machine row, Observation observation, Instant now) {
        Transition next = stateMachine.apply(row, observation, now);
        return next.changes(row) || next.command().isPresent();
    }

    /** Updates the ledger. An interval is open exactly while a row is metered, so other events do not change the ledger. */
    private static void record(Sql sql, Machine before, Transition next) {
        boolean isOpen = before.phase().isMetered();
        for (MachineEvent event : next.events()) {
            EventRows.append(sql, next.row(), event);
            DebugLog.MACHINE.print("backend: machine %s: %s", next.row().id(), event);
            if (isOpen || event.phase().isMetered()) {
                UsageRows.follow(sql, next.row(), event);
            }
            isOpen = event.phase().isMetered();
        }
    }

    private static void countQuota(Sql sql, Machine before, Machine after) {
        if (before.holdsQuota() == after.holdsQuota() && before.gpu().equals(after.gpu())) {
            return;
        }
        if (before.holdsQuota()) {
            QuotaRows.take(sql, before.counted(), -1);
        }
        if (after.holdsQuota()) {
            QuotaRows.take(sql, after.counted(), 1);
        }
    }
}
