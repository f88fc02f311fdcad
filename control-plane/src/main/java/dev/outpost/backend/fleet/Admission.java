package dev.outpost.backend.fleet;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.FairShare.Standing;
import dev.outpost.backend.model.FairShare.Waiting;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Phase;
import dev.outpost.backend.model.Quota;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.Machines;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Sql;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Gives those that wait their machines: by priority, fair share and age, as far as quotas and clusters have room. One replica
 * at a time does it, in one transaction.
 */
public final class Admission {
    private static final int BATCH = 200;

    private final Database database;
    private final Machines machines;
    private final FairShare fairShare;

    public Admission(Database database, Machines machines, FairShare fairShare) {
        this.database = database;
        this.machines = machines;
        this.fairShare = fairShare;
    }

    /** Admits what can be admitted, and says of the others why they wait. Returns how many were admitted. */
    public int admit() {
        return database.transact(sql -> QueueRows.tryLock(sql) ? admit(sql) : 0);
    }

    private int admit(Sql sql) {
        List<Machine> queued = MachineRows.queued(sql, BATCH);
        if (queued.isEmpty()) {
            return 0;
        }
        Room room = Room.of(sql);
        Set<String> full = new HashSet<>();
        int admitted = 0;
        int position = 0;
        List<UUID> order = order(sql, queued);
        for (UUID id : order) {
            position++;
            Optional<Machine> row = MachineRows.lock(sql, id);
            if (row.isEmpty() || row.get().phase().state() != Phase.State.QUEUED) {
                continue;
            }
            Observation decision = decide(sql, row.get(), room, full, position + " of " + order.size());
            machines.apply(sql, row.get(), decision);
            if (decision instanceof Observation.Claimed) {
                // It takes the room that the member had.
                admitted++;
                position--;
            }
            if (decision instanceof Observation.Placed placed) {
                room.take(placed.cluster(), row.get().request().members());
                admitted++;
                position--;
            }
        }
        return admitted;
    }

    private Observation decide(Sql sql, Machine row, Room room, Set<String> full, String position) {
        Optional<Quota.Excess> excess =
                row.phase() == Phase.QUOTA ? QuotaRows.check(sql, row.request(), sql.now()) : Optional.empty();
        if (excess.isPresent()) {
            return new Observation.Held(
                    Phase.QUOTA,
                    excess.get().text() + "; position " + position + " in the queue"
                            + QueueRows.nextEnd(sql, row.request(), excess.get().limit())
                                    .map(end -> "; the next one that counts ends by " + end + " at the latest")
                                    .orElse(""));
        }
        Optional<Observation> claimed = Pools.claim(sql, machines, row);
        if (claimed.isPresent()) {
            return claimed.get();
        }
        String gpu = row.request().gpu();
        if (full.contains(gpu)) {
            return new Observation.Held(Phase.POSITION, "position " + position + " in the queue; " + room.text(gpu));
        }
        Optional<String> cluster = room.find(gpu, row.request().members());
        if (cluster.isEmpty()) {
            full.add(gpu);
            return new Observation.Held(Phase.CAPACITY, "position " + position + " in the queue; " + room.text(gpu));
        }
        return new Observation.Placed(cluster.get());
    }

    private List<UUID> order(Sql sql, List<Machine> queued) {
        Map<String, Integer> priorities = QueueRows.priorities(sql);
        List<Waiting> waiting = queued.stream()
                .map(row -> new Waiting(
                        row.id(),
                        account(row),
                        priorities.getOrDefault(account(row), 0),
                        row.request().allGpus(),
                        row.created()))
                .toList();
        return fairShare.order(waiting, standings(sql, waiting)).stream()
                .map(Waiting::id)
                .toList();
    }

    /** The account by which shares are counted. */
    private static String account(Machine row) {
        return row.request().organisation() + "/" + row.request().project();
    }

    private Map<String, Standing> standings(Sql sql, List<Waiting> waiting) {
        Set<String> accounts = waiting.stream().map(Waiting::project).collect(Collectors.toSet());
        if (accounts.size() < 2) {
            return Map.of();
        }
        Instant now = sql.now();
        Map<String, List<FairShare.Use>> uses = QueueRows.uses(sql, accounts, now, fairShare.memory());
        Map<String, Integer> held = QueueRows.held(sql, accounts);
        return accounts.stream()
                .collect(Collectors.toMap(
                        account -> account,
                        account -> new Standing(
                                fairShare.decayed(uses.getOrDefault(account, List.of()), now),
                                held.getOrDefault(account, 0))));
    }
}
