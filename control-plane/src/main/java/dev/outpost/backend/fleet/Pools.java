package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.PoolStateMachine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps pools at the sizes that {@link PoolStateMachine} plans, and assigns their members to requests. A member is an
 * ordinary machine, which the driver requests from a cluster. A claim ends the member's row, and the request's row
 * takes over the machine.
 */
public final class Pools {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String OWNER = "pool";

    private final RowWork rows;
    private final Machines machines;
    private final Wakeups wakeups;

    public Pools(Database database, Machines machines, Wakeups wakeups) {
        this.rows = new RowWork(database, PoolRows.LOOP);
        this.machines = machines;
        this.wakeups = wakeups;
    }

    /** Runs the steps of all due pools, one after the other. */
    public void round() {
        rows.drain(PoolRows::lockDue, name -> name, this::step);
    }

    private void step(Sql sql, String name) {
        Pool pool = PoolRows.find(sql, name).orElseThrow();
        Instant now = sql.now();
        PoolStateMachine.PoolSnapshot snapshot = new PoolStateMachine.PoolSnapshot(
                PoolRows.members(sql, pool.name()),
                PoolRows.claims(sql, pool.name(), now.minus(pool.idle())),
                PoolRows.failures(sql, pool.name(), pool.seenAt()),
                PoolRows.isCrowded(sql, pool.name()));
        PoolStateMachine.Plan plan = PoolStateMachine.plan(pool, snapshot, now);
        end(sql, plan.end());
        for (int i = 0; i < plan.start(); i++) {
            start(sql, pool, now);
        }
        PoolRows.update(sql, plan.row(), now.plus(SOON));
        if (plan.start() > 0 || !plan.end().isEmpty()) {
            wakeups.admission();
            wakeups.driver();
        }
    }

    private void start(Sql sql, Pool pool, Instant now) {
        Request request = new Request(
                Pool.ORGANISATION,
                pool.name(),
                OWNER,
                pool.gpu(),
                1,
                1,
                Optional.empty(),
                Optional.of(pool.lease()),
                Optional.empty());
        machines.createNew(
                sql, Machine.queued(UUID.randomUUID(), request, Phase.POSITION, "it waits for its turn", now));
    }

    private void end(Sql sql, List<UUID> members) {
        members.forEach(
                member -> machines.apply(sql, member, new Observation.EndAsked("its pool has enough without it")));
    }

    /** Ends all members of a pool whose row this transaction has locked. */
    public void endMembers(Sql sql, Pool pool) {
        end(
                sql,
                PoolRows.members(sql, pool.name()).stream()
                        .map(PoolStateMachine.Member::id)
                        .toList());
    }

    /**
     * Gives a waiting machine to a request whose row this transaction has locked.
     *
     * @return the observation to apply to the request's row; empty if no fitting machine waits
     */
    public static Optional<Observation> claim(Sql sql, Machines machines, Machine row) {
        return PoolRows.claim(sql, row.request()).map(member -> {
            machines.apply(sql, member, new Observation.Taken(row.id()));
            PoolRows.due(sql, member.request().project());
            return new Observation.Claimed(
                    member.cluster().orElseThrow(), member.address().orElseThrow(), member.id(), member.kind());
        });
    }
}
