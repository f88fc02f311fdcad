package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.model.Quota;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.Machines;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Sql;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Takes requests for machines in, within a transaction of the caller: budgets and quotas are held to, then the row is there. */
public final class Intake {
    private final Machines machines;
    private final Budgets budgets;

    public Intake(Machines machines, Budgets budgets) {
        this.machines = machines;
        this.budgets = budgets;
    }

    /** What became of a request. */
    public sealed interface Answer {
        /** Its machine waits. */
        record Taken(Machine machine) implements Answer {}

        /** Another machine has this id. */
        record There() implements Answer {}

        /** No cluster has such a GPU. */
        record Impossible(String why) implements Answer {}

        /** A budget has too little left. */
        record OverBudget(Budgets.Excess excess) implements Answer {}

        /** A quota would never have room for it. */
        record OverQuota(Quota.Excess excess) implements Answer {}
    }

    /** @param key by which key it was asked for */
    public Answer take(Sql sql, UUID id, Request request, String key) {
        Optional<String> impossible = Room.of(sql).impossible(request.gpu());
        if (impossible.isPresent()) {
            return new Answer.Impossible(impossible.get());
        }
        Optional<Budgets.Excess> overBudget = budgets.check(sql, request, key);
        if (overBudget.isPresent()) {
            return new Answer.OverBudget(overBudget.get());
        }
        Instant now = sql.now();
        Optional<Quota.Excess> overQuota = QuotaRows.check(sql, request, now);
        if (overQuota.filter(Quota.Excess::isForGood).isPresent()) {
            return new Answer.OverQuota(overQuota.get());
        }
        Machine machine = queued(id, request, overQuota, now);
        if (!machines.create(sql, machine)) {
            return new Answer.There();
        }
        budgets.begin(sql, id, request, key);
        return new Answer.Taken(machine);
    }

    private static Machine queued(UUID id, Request request, Optional<Quota.Excess> excess, Instant now) {
        return excess.map(over -> Machine.queued(id, request, Phase.QUOTA, over.text(), now))
                .orElseGet(() -> Machine.queued(id, request, Phase.POSITION, "it waits for its turn", now));
    }

    /** Gives a row that is locked a machine that waits in a pool, unless others wait for one such. */
    public Optional<Machine> claim(Sql sql, Machine row) {
        boolean isNext = row.phase() == Phase.POSITION && !QueueRows.isClaimedByOthers(sql, row.id(), row.request());
        return isNext
                ? Pools.claim(sql, machines, row)
                        .map(seen -> machines.apply(sql, row, seen).row())
                : Optional.empty();
    }
}
