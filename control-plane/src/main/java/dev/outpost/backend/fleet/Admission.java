package dev.outpost.backend.fleet;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.FairShare.Standing;
import dev.outpost.backend.model.FairShare.Turns;
import dev.outpost.backend.model.FairShare.Waiting;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.QueueRows.Line;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.TotalRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Gives machines to waiting requests while quotas and clusters have room, in the order of {@link FairShare}. One
 * replica at a time admits requests, in one transaction.
 *
 * <p>Requests of one project for one kind of GPU form a line ({@link Line}). A transaction reads only the first
 * requests of each line, and only of lines whose kind of GPU has room. So the effort grows with the number of lines,
 * and a blocked line does not delay the others.
 */
public final class Admission {
    /** The maximum number of requests of each line that a transaction may admit. */
    private static final int HEADS = 32;

    private static final int HEADS_OF_ORGANISATION = 1_000;

    /** The maximum number of requests of each line that get the reason why they wait. */
    private static final int TOLD = 10;

    private static final int TOLD_OF_ORGANISATION = 50;

    /** The maximum number of transactions of one run. */
    private static final int TRANSACTIONS = 50;

    private final Database database;
    private final Machines machines;
    private final FairShare fairShare;
    private final RowWork rows;

    public Admission(Database database, Machines machines, FairShare fairShare) {
        this.database = database;
        this.machines = machines;
        this.fairShare = fairShare;
        this.rows = new RowWork(database, QueueRows.LOOP);
    }

    /** @param isMore true if another transaction may admit more */
    private record Admitted(int machines, boolean isMore) {}

    /** Admits the requests that can be admitted, and records why the others wait. Returns the number of admitted requests. */
    public int admit() {
        int all = 0;
        boolean isMore = true;
        for (int i = 0; i < TRANSACTIONS && isMore; i++) {
            Admitted admitted = admitOnce();
            all += admitted.machines();
            isMore = admitted.isMore();
        }
        return all;
    }

    /**
     * Runs one transaction. If a request fails, the transaction is rolled back, and the next transaction leaves the
     * request out.
     */
    private Admitted admitOnce() {
        Optional<?>[] current = {Optional.empty()};
        return rows.attempt(
                () -> current[0].map(Object::toString),
                () -> database.transact(sql -> {
                    current[0] = Optional.empty();
                    if (!QueueRows.tryLock(sql)) {
                        return new Admitted(0, false);
                    }
                    Admitted admitted = new Round(sql, id -> current[0] = Optional.of(id)).run();
                    current[0] = Optional.empty();
                    return admitted;
                }),
                pause -> new Admitted(0, true));
    }

    /** The state of one transaction. */
    private final class Round {
        private final Sql sql;
        private final java.util.function.Consumer<UUID> current;
        private final Map<String, QuotaRows.Balance> balances = new HashMap<>();
        private int admitted;
        private ClusterCapacity capacity;
        private Prices prices;
        private Instant now;

        Round(Sql sql, java.util.function.Consumer<UUID> current) {
            this.sql = sql;
            this.current = current;
        }

        Admitted run() {
            List<Line> lines = QueueRows.lines(sql);
            if (lines.isEmpty()) {
                return new Admitted(0, false);
            }
            capacity = ClusterCapacity.of(sql);
            now = sql.now();
            Set<String> ready = PoolRows.readyKinds(sql);
            List<Line> startable = lines.stream()
                    .filter(line -> ready.contains(line.gpu())
                            || capacity.find(line.gpu(), 1).isPresent())
                    .toList();
            boolean isMore = !startable.isEmpty() && admit(startable);
            report(lines);
            return new Admitted(admitted, isMore);
        }

        /** Returns true if all requests read from some line were admitted, so that this line may have more. */
        private boolean admit(List<Line> startable) {
            Map<Line, Integer> heads = heads(startable, HEADS, HEADS_OF_ORGANISATION);
            Turns turns = turns(QueueRows.heads(sql, heads));
            Set<Line> blocked = new HashSet<>();
            Map<Line, Integer> counts = new HashMap<>();
            for (Optional<Waiting> next = turns.next(); next.isPresent(); next = turns.next()) {
                Waiting one = next.get();
                if (blocked.contains(line(one))) {
                    continue;
                }
                if (start(one)) {
                    admitted++;
                    turns.admitted(one);
                    counts.merge(line(one), 1, Integer::sum);
                } else {
                    blocked.add(line(one));
                }
            }
            return counts.entrySet().stream().anyMatch(line -> line.getValue().equals(heads.get(line.getKey())));
        }

        /** Returns for each line the number of requests to read. */
        private Map<Line, Integer> heads(List<Line> lines, int ofLine, int ofOrganisation) {
            Map<String, Long> counts =
                    lines.stream().collect(Collectors.groupingBy(Line::organisation, Collectors.counting()));
            return lines.stream()
                    .collect(Collectors.toMap(
                            line -> line,
                            line -> Math.clamp(ofOrganisation / counts.get(line.organisation()), 1, ofLine)));
        }

        /** Gives a machine to one request. Returns false if no cluster has room for it. */
        private boolean start(Waiting one) {
            Optional<Machine> locked = lock(one.id());
            if (locked.isEmpty() || balance(one, locked.get()).isPresent()) {
                return false;
            }
            Machine row = locked.get();
            Optional<Observation> found = Pools.claim(sql, machines, row).or(() -> place(one, row));
            found.ifPresent(observation -> {
                Machine next = machines.apply(sql, row, observation).row();
                QuotaRows.Balance balance = balances.get(one.organisation());
                if (balance != null) {
                    if (row.holdsQuota()) {
                        balance.take(row.counted(), -1);
                    }
                    balance.take(next.counted(), 1);
                }
            });
            return found.isPresent();
        }

        private Optional<Observation> place(Waiting one, Machine row) {
            Request request = row.request();
            Optional<Observation.Placed> place =
                    capacity.place(request, kind -> prices().rate(kind, now), () -> balanceOf(one));
            place.ifPresent(found -> capacity.take(found.cluster(), request.members()));
            return place.map(found -> found);
        }

        private Prices prices() {
            if (prices == null) {
                prices = UsageRows.allPrices(sql);
            }
            return prices;
        }

        private Optional<Machine> lock(UUID id) {
            current.accept(id);
            return MachineRows.lock(sql, id).filter(row -> row.phase().state() == Phase.State.QUEUED);
        }

        /** Returns the quota that a request exceeds; empty if the request already counts toward its quotas. */
        private Optional<Quota.Excess> balance(Waiting one, Machine row) {
            return row.phase() == Phase.QUOTA ? balanceOf(one).check(row.request()) : Optional.empty();
        }

        private QuotaRows.Balance balanceOf(Waiting one) {
            return balances.computeIfAbsent(one.organisation(), name -> QuotaRows.balance(sql, name));
        }

        // ---- reasons of waiting requests

        private void report(List<Line> lines) {
            Map<String, Integer> linesOf = new HashMap<>();
            List<Line> shown = lines.stream()
                    .filter(line -> linesOf.merge(line.organisation(), 1, Integer::sum) <= TOLD_OF_ORGANISATION)
                    .toList();
            Map<Line, Integer> heads = heads(shown, TOLD + 1, TOLD_OF_ORGANISATION);
            List<Waiting> order = ordered(QueueRows.heads(sql, heads));
            Map<Line, Integer> told = new HashMap<>();
            order.forEach(one -> told.merge(line(one), 1, Integer::sum));
            boolean isCut =
                    told.entrySet().stream().anyMatch(line -> line.getValue().equals(heads.get(line.getKey())));
            String of = (isCut ? "more than " : "") + order.size() + " in the queue";
            Set<String> full = new HashSet<>();
            Set<Line> overQuota = new HashSet<>();
            int position = 0;
            for (Waiting one : order) {
                String place = "position " + ++position + " of " + of;
                boolean isFirst = full.add(one.gpu());
                if (!one.isOverQuota() || overQuota.add(line(one))) {
                    lock(one.id())
                            .ifPresent(row -> machines.apply(
                                    sql,
                                    row,
                                    capacity.impossible(one.gpu())
                                            .<Observation>map(why -> new Observation.Refused(row.epoch(), why))
                                            .orElseGet(() -> held(one, row, isFirst, place))));
                }
            }
        }

        private Observation held(Waiting one, Machine row, boolean isFirst, String place) {
            String gpu = row.request().gpu();
            if (row.phase() != Phase.QUOTA) {
                return new Observation.Held(
                        isFirst ? Phase.CAPACITY : Phase.POSITION,
                        place + "; "
                                + capacity.overQuota(row.request(), () -> balanceOf(one))
                                        .map(Quota.Excess::text)
                                        .orElseGet(() -> capacity.text(gpu)));
            }
            return balance(one, row)
                    .map(excess -> new Observation.Held(
                            Phase.QUOTA,
                            excess.text() + "; " + place
                                    + QueueRows.nextEnd(sql, row.request(), excess.limit())
                                            .map(end -> "; the next one that counts ends by " + end + " at the latest")
                                            .orElse("")))
                    .orElseGet(() -> new Observation.Held(Phase.QUOTA, place + "; " + capacity.text(gpu)));
        }

        // ---- order

        private List<Waiting> ordered(List<Waiting> waiting) {
            List<Waiting> ordered = new ArrayList<>();
            Turns turns = turns(waiting);
            for (Optional<Waiting> next = turns.next(); next.isPresent(); next = turns.next()) {
                ordered.add(next.get());
                turns.admitted(next.get());
            }
            return ordered;
        }

        private Turns turns(List<Waiting> waiting) {
            return fairShare.turns(waiting, standings(sql, waiting));
        }
    }

    private static Line line(Waiting one) {
        return new Line(one.organisation(), one.project(), one.gpu(), one.isOverQuota());
    }

    private Map<String, Standing> standings(Sql sql, Collection<Waiting> waiting) {
        if (waiting.stream().map(Waiting::account).distinct().count() < 2) {
            return Map.of();
        }
        Set<String> organisations = waiting.stream().map(Waiting::organisation).collect(Collectors.toSet());
        Instant now = sql.now();
        Map<String, Double> shares = TotalRows.shares(sql, organisations, fairShare, now);
        Map<String, Integer> held = QueueRows.held(sql, organisations);
        Set<String> accounts = new HashSet<>(shares.keySet());
        accounts.addAll(held.keySet());
        return accounts.stream()
                .collect(Collectors.toMap(
                        account -> account,
                        account -> new Standing(shares.getOrDefault(account, 0.0), held.getOrDefault(account, 0))));
    }
}
