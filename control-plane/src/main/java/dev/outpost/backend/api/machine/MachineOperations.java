package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.event.EventFeed;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.fleet.Decision;
import dev.outpost.backend.fleet.FreeGpus;
import dev.outpost.backend.fleet.MachineCreation;
import dev.outpost.backend.fleet.MachineSpans;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.MachineSecretRows;
import dev.outpost.backend.store.ShareRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.rest.machine.Phase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The operations of a caller on machines. Each operation runs in one transaction, and wakes the machine driver after
 * it.
 */
@ApplicationScoped
public class MachineOperations {
    private static final Duration LOOP_WINDOW = Duration.ofMinutes(10);

    private final Database database;
    private final Machines machines;
    private final Wakeups wakeups;
    private final EventFeed changes;
    private final MachineSpans spans;
    private final Budgets budgets;
    private final FreeGpus gpus;
    private final MachineCreation machineCreation;

    MachineOperations(
            Database database,
            Machines machines,
            Wakeups wakeups,
            EventFeed changes,
            MachineSpans spans,
            Budgets budgets,
            FreeGpus gpus) {
        this.database = database;
        this.machines = machines;
        this.wakeups = wakeups;
        this.changes = changes;
        this.spans = spans;
        this.budgets = budgets;
        this.gpus = gpus;
        this.machineCreation = new MachineCreation(machines, budgets);
    }

    /** The machine of a request; {@code isNew} is true if this call made it. */
    record Put(Machine machine, boolean isNew) {}

    /** Makes a machine, unless a machine with this id exists. An existing machine must match the request. */
    Put put(Caller caller, UUID id, Request request, Optional<String> token, SortedSet<String> secrets) {
        List<ClusterRows.Stored> clusters =
                database.transact(sql -> MachineRows.find(sql, id).isPresent() ? List.of() : ClusterRows.all(sql));
        // Suppliers are asked outside of the transaction.
        impossible(clusters, request).ifPresent(refused -> {
            throw problem(refused);
        });
        Put put = database.transact(sql -> put(sql, caller, id, request, token, secrets));
        if (put.isNew()) {
            wakeups.admission();
        }
        if (put.machine().phase() == Phase.BIND) {
            wakeups.driver();
            wakeups.pools();
        }
        return put;
    }

    private Put put(
            Sql sql, Caller caller, UUID id, Request request, Optional<String> token, SortedSet<String> secrets) {
        Optional<Machine> there = MachineRows.find(sql, id);
        if (there.isPresent()) {
            return new Put(same(sql, caller, there.get(), request, secrets), false);
        }
        requireProject(sql, request);
        requireSecrets(sql, request, secrets);
        looping(sql, request).ifPresent(loop -> {
            throw problem(loop);
        });
        switch (machineCreation.take(sql, id, request, caller.keyId())) {
            case MachineCreation.Answer.Taken it -> {}
            case MachineCreation.Answer.Refused it -> throw problem(it.decision());
            // Another request with the same id was committed first.
            case MachineCreation.Answer.There it -> {
                return new Put(same(sql, caller, MachineRows.find(sql, id).orElseThrow(), request, secrets), false);
            }
        }
        spans.keep(sql, id);
        MachineSecretRows.add(sql, id, secrets);
        token.ifPresent(hash -> {
            GrantRows.add(sql, id, hash, request.owner(), GrantTerms.ALL);
            machines.apply(sql, id, new Observation.GrantsChanged());
        });
        Machine row = MachineRows.lock(sql, id).orElseThrow();
        return new Put(machineCreation.claim(sql, row).orElse(row), true);
    }

    private static Problem problem(Decision refused) {
        return switch (refused) {
            case Decision.Looping it -> Problem.of(Problem.Code.TOO_MANY_REQUESTS, it.text());
            case Decision.Impossible it -> Problem.of(Problem.Code.GPU_NOT_HERE, it.text());
            case Decision.OverBudget it -> Problem.exceeded(it.excess());
            case Decision.OverQuota it -> Problem.exceeded(it.excess());
            case Decision.Waits _, Decision.Starts _ -> throw new IllegalArgumentException("not refused: " + refused);
        };
    }

    /** Returns the refusal of a request that every cluster would refuse. */
    Optional<Decision> impossible(List<ClusterRows.Stored> clusters, Request request) {
        return gpus.impossible(clusters, request).map(Decision.Impossible::new);
    }

    /** Returns the decision that a request would get now. Changes nothing. */
    Decision decide(Sql sql, Caller caller, Request request) {
        requireProject(sql, request);
        return looping(sql, request).orElseGet(() -> machineCreation.decide(sql, request, caller.keyId()));
    }

    /** Refuses another machine to a project whose machines fail repeatedly, before a program that retries spends much. */
    private Optional<Decision> looping(Sql sql, Request request) {
        int failures = MachineRows.failures(sql, request, sql.now().minus(LOOP_WINDOW), budgets.mostFailures());
        return failures >= budgets.mostFailures()
                ? Optional.of(new Decision.Looping(request.project(), failures, LOOP_WINDOW))
                : Optional.empty();
    }

    private static void requireSecrets(Sql sql, Request request, SortedSet<String> secrets) {
        for (String name : secrets) {
            SecretRows.find(sql, request.organisation(), request.project(), name)
                    .orElseThrow(() -> Problem.notFound("secret", name));
        }
    }

    /** Returns the existing machine if it matches the request. Treats a machine that the caller may not see as missing. */
    private static Machine same(Sql sql, Caller caller, Machine there, Request request, SortedSet<String> secrets) {
        boolean isVisible = there.request().organisation().equals(request.organisation())
                && caller.sees(there.request().project());
        if (!isVisible) {
            throw Problem.notFound("machine", there.id());
        }
        if (!there.request().equals(request)
                || !MachineSecretRows.names(sql, there.id()).equals(List.copyOf(secrets))) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "machine " + there.id() + ": there is one of this id that was asked for otherwise; draw a new id");
        }
        return there;
    }

    public static void requireProject(Sql sql, Request request) {
        TenantRows.Project project = TenantRows.project(sql, request.organisation(), request.project())
                .orElseThrow(() -> Problem.notFound("project", request.project()));
        if (project.archived().isPresent()) {
            throw Problem.of(
                    Problem.Code.CONFLICT, "project " + project.name() + ": it is archived, and takes no machines");
        }
    }

    /** Returns the machine. Fails if the caller may not see it. */
    public Machine find(Caller caller, UUID id) {
        return database.transact(sql -> visible(caller, MachineRows.find(sql, id), id));
    }

    /**
     * Waits until the machine has a later version than {@code version}, or the time is over, and returns the machine.
     */
    public Machine await(Caller caller, UUID id, long version, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            try (EventFeed.Ticket ticket = changes.ticket(id)) {
                Machine row = find(caller, id);
                boolean isNews = row.version() > version || row.phase() == Phase.ENDED;
                if (isNews || !ticket.await(deadline - System.nanoTime())) {
                    return row;
                }
            }
        }
    }

    Machine end(Caller caller, UUID id) {
        Machine machine = change(
                caller,
                id,
                (sql, row) -> machines.apply(
                                sql, row, new Observation.EndAsked("key " + caller.keyId() + " asked for it"))
                        .row());
        wakeups.all();
        return machine;
    }

    /**
     * Extends the life of a machine.
     *
     * @param isDone true if the extension was done before
     */
    Machine extend(Caller caller, UUID id, Duration by, Predicate<Sql> isDone) {
        return change(caller, id, (sql, row) -> isDone.test(sql) ? row : extend(sql, row, by));
    }

    private Machine extend(Sql sql, Machine row, Duration by) {
        requireLive(row);
        Instant end = row.endsAt()
                .orElseThrow(() -> Problem.of(
                        Problem.Code.CONFLICT,
                        "machine " + row.id()
                                + ": it has no stated end, or has not begun yet; there is nothing to extend"));
        return machines.apply(
                        sql,
                        row,
                        new Observation.Extended(end.plus(by), "extended by " + by + " until " + end.plus(by)))
                .row();
    }

    /** Grants a token access to the machine, and returns the grant. */
    GrantRows.Stored grant(Caller caller, UUID id, String sha256, String owner, GrantTerms terms) {
        return changeGrant(caller, id, sha256, (sql, row) -> {
            requireLive(row);
            requireToCome(terms, sql.now());
            ShareRows.check(sql, id, sha256, terms).ifPresent(excess -> {
                throw Problem.of(Problem.Code.CONFLICT, excess);
            });
            boolean isNew = GrantRows.add(sql, id, sha256, owner, terms);
            if (!isNew && find(sql, id, sha256).revoked().isPresent()) {
                throw Problem.of(Problem.Code.CONFLICT, "grant " + sha256 + ": it was revoked; draw another token");
            }
            return isNew;
        });
    }

    /** Changes the terms of a token's grant, and returns the grant. */
    GrantRows.Stored regrant(Caller caller, UUID id, String sha256, GrantTerms terms, Optional<Long> version) {
        return changeGrant(caller, id, sha256, (sql, row) -> {
            requireLive(row);
            requireToCome(terms, sql.now());
            ShareRows.check(sql, id, sha256, terms).ifPresent(excess -> {
                throw Problem.of(Problem.Code.CONFLICT, excess);
            });
            GrantRows.Stored there = find(sql, id, sha256);
            if (there.revoked().isPresent()) {
                throw Problem.of(Problem.Code.CONFLICT, "grant " + sha256 + ": it was revoked; draw another token");
            }
            boolean isMeant = version.filter(known -> known != there.version()).isEmpty();
            if (!isMeant || !GrantRows.change(sql, id, sha256, terms, there.version())) {
                throw Problem.changedSince("grant", sha256);
            }
            return true;
        });
    }

    private static void requireToCome(GrantTerms terms, Instant now) {
        if (terms.isOver(now)) {
            throw Problem.invalid("expires: expected a time to come, got "
                    + terms.expires().orElseThrow() + "; to end a grant, take it back");
        }
    }

    /** A change of grants. Returns true if the change must be sent to the machine. */
    private interface GrantChange {
        boolean apply(Sql sql, Machine row);
    }

    private GrantRows.Stored changeGrant(Caller caller, UUID id, String sha256, GrantChange change) {
        GrantRows.Stored now = database.transact(sql -> {
            Machine row = visible(caller, MachineRows.lock(sql, id), id);
            if (change.apply(sql, row)) {
                machines.apply(sql, row, new Observation.GrantsChanged());
            }
            return find(sql, id, sha256);
        });
        wakeups.driver();
        return now;
    }

    private static GrantRows.Stored find(Sql sql, UUID id, String sha256) {
        return GrantRows.find(sql, id, sha256).orElseThrow(() -> Problem.notFound("grant", sha256));
    }

    /**
     * Reserves {@code memoryBytes} of the machine's memory for grants, a part for each grant. Makes the machine
     * exclusive if no size is given.
     */
    Machine share(Caller caller, UUID id, OptionalLong memoryBytes) {
        return change(caller, id, (sql, row) -> {
            requireLive(row);
            ShareRows.set(sql, id, memoryBytes).ifPresent(excess -> {
                throw Problem.of(Problem.Code.CONFLICT, excess);
            });
            return row;
        });
    }

    OptionalLong shared(Caller caller, UUID id) {
        return database.transact(sql -> {
            visible(caller, MachineRows.find(sql, id), id);
            return ShareRows.find(sql, id);
        });
    }

    void revoke(Caller caller, UUID id, String sha256) {
        change(caller, id, (sql, row) -> {
            if (!GrantRows.revoke(sql, id, sha256)) {
                throw Problem.notFound("grant", sha256);
            }
            return machines.apply(sql, row, new Observation.GrantsChanged()).row();
        });
        wakeups.driver();
    }

    private static void requireLive(Machine row) {
        if (row.phase() == Phase.ENDING || row.phase() == Phase.ENDED) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "machine " + row.id() + ": it has ended (" + row.text() + "); start another");
        }
    }

    /** A change of a row that is locked. */
    private interface Change {
        Machine apply(Sql sql, Machine row);
    }

    private Machine change(Caller caller, UUID id, Change change) {
        return database.transact(sql -> change.apply(sql, visible(caller, MachineRows.lock(sql, id), id)));
    }

    private static Machine visible(Caller caller, Optional<Machine> row, UUID id) {
        return row.filter(machine -> machine.request().organisation().equals(caller.organisation()))
                .filter(machine -> caller.sees(machine.request().project()))
                .orElseThrow(() -> Problem.notFound("machine", id));
    }
}
