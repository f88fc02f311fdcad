package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Accepts requests for machines in the caller's transaction: checks budgets and quotas, then inserts the row. */
public final class MachineCreation {
    private final Machines machines;
    private final Budgets budgets;

    public MachineCreation(Machines machines, Budgets budgets) {
        this.machines = machines;
        this.budgets = budgets;
    }

    /** The outcome of a request. */
    public sealed interface Answer {
        /** The request is accepted, and its machine waits. */
        record Taken(Machine machine) implements Answer {}

        /** Another machine has this id. */
        record There() implements Answer {}

        /** This decision refuses the request. */
        record Refused(Decision decision) implements Answer {}
    }

    /**
     * Returns the decision about a request that {@link #take} and {@link Admission} would make now. Changes nothing.
     *
     * @param key the key of the request
     */
    public Decision decide(Sql sql, Request request, String key) {
        return held(sql, request, key, sql.now()).orElseGet(() -> place(sql, request));
    }

    /** Returns the reason why a request is not placed: no GPU, a budget or a quota. */
    private Optional<Decision> held(Sql sql, Request request, String key, Instant now) {
        Optional<String> impossible = ClusterCapacity.of(sql).impossible(request.gpu());
        if (impossible.isPresent()) {
            return impossible.map(Decision.Impossible::new);
        }
        Optional<Budgets.Excess> overBudget = budgets.check(sql, request, key);
        if (overBudget.isPresent()) {
            return overBudget.map(Decision.OverBudget::new);
        }
        return QuotaRows.check(sql, request, now)
                .map(excess -> excess.isForGood()
                        ? new Decision.OverQuota(excess)
                        : new Decision.Waits(Phase.QUOTA, excess.text(), Optional.of(excess), Optional.empty()));
    }

    private static Decision place(Sql sql, Request request) {
        Optional<Machine> warm = PoolRows.ready(sql, request);
        if (warm.isPresent() && !QueueRows.isClaimedByOthers(sql, UUID.randomUUID(), request)) {
            return new Decision.Starts(
                    warm.get().cluster().orElseThrow(), warm.get().gpu(), true);
        }
        ClusterCapacity capacity = ClusterCapacity.of(sql);
        Prices prices = UsageRows.allPrices(sql);
        Instant now = sql.now();
        Optional<Observation.Placed> place = capacity.place(
                request, kind -> prices.rate(kind, now), () -> QuotaRows.balance(sql, request.organisation()));
        int before = QueueRows.inLine(sql, request);
        if (place.isPresent() && before > 0) {
            return waits(Phase.POSITION, before + " of the project wait for " + request.gpu() + " before it", place);
        }
        Optional<String> trouble = place.flatMap(found -> capacity.trouble(found.cluster()));
        if (trouble.isPresent()) {
            return waits(Phase.ADMITTED, trouble.get(), place);
        }
        return place.<Decision>map(found ->
                        new Decision.Starts(found.cluster(), found.kind().orElseThrow(), false))
                .orElseGet(() -> waits(
                        Phase.CAPACITY,
                        capacity.overQuota(request, () -> QuotaRows.balance(sql, request.organisation()))
                                .map(Quota.Excess::text)
                                .orElseGet(() -> capacity.text(request.gpu())),
                        place));
    }

    private static Decision waits(Phase phase, String why, Optional<Observation.Placed> place) {
        return new Decision.Waits(phase, why, Optional.empty(), place.map(Observation.Placed::cluster));
    }

    /** @param key the key of the request */
    public Answer take(Sql sql, UUID id, Request request, String key) {
        Instant now = sql.now();
        Optional<Decision> held = held(sql, request, key, now);
        if (held.filter(Decision::isRefused).isPresent()) {
            return new Answer.Refused(held.get());
        }
        Machine machine = held.flatMap(Decision::why)
                .map(why -> Machine.queued(id, request, Phase.QUOTA, why, now))
                .orElseGet(() -> Machine.queued(id, request, Phase.POSITION, "it waits for its turn", now));
        if (!machines.create(sql, machine)) {
            return new Answer.There();
        }
        budgets.begin(sql, id, request, key);
        return new Answer.Taken(machine);
    }

    /**
     * Assigns a waiting machine of a pool to a locked row, unless other requests wait for the same kind of machine.
     */
    public Optional<Machine> claim(Sql sql, Machine row) {
        boolean isNext = row.phase() == Phase.POSITION && !QueueRows.isClaimedByOthers(sql, row.id(), row.request());
        return isNext
                ? Pools.claim(sql, machines, row)
                        .map(observation ->
                                machines.apply(sql, row, observation).row())
                : Optional.empty();
    }
}
