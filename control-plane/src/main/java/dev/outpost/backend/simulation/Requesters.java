package dev.outpost.backend.simulation;

import dev.outpost.backend.fleet.MachineCreation;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.rest.machine.EndReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;

/**
 * Simulated people. They request machines, use each machine for some time once it is ready, and end it. After a
 * failure they request another machine for the rest of the time. They learn the states of their machines from events.
 * Not thread-safe.
 */
final class Requesters {
    private static final String KEY = "simulated";
    private static final Duration LEASE = Duration.ofMinutes(2);

    private final Database backend;
    private final Database own;
    private final Machines machines;
    private final MachineCreation machineCreation;
    private final Instant start;
    private final Random random;
    private final PriorityQueue<Arrival> toCome = new PriorityQueue<>(Comparator.comparing(Arrival::at));
    private final Map<UUID, Session> live = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::at));
    private final List<SimulationOutcome.Wait> waits = new ArrayList<>();
    private long lastEvent;
    private int requests;
    private int refused;
    private int cut;
    private int failed;

    private record Session(Arrival arrival, Instant asked, Optional<Instant> ready) {}

    private record End(Instant at, UUID machine) {}

    /** An event of a machine, and the reason of its end. */
    private record News(long seq, UUID machine, boolean isReady, Instant at, Optional<EndReason> reason) {}

    /**
     * @param backend the database object that counts the backend's own statements
     * @param own the database object for the simulation's own reads
     */
    Requesters(
            Database backend,
            Database own,
            Machines machines,
            MachineCreation machineCreation,
            Instant start,
            List<Arrival> arrivals,
            long seed) {
        this.backend = backend;
        this.own = own;
        this.machines = machines;
        this.machineCreation = machineCreation;
        this.start = start;
        this.random = new Random(seed);
        toCome.addAll(arrivals);
    }

    /** Returns the lease of all requests and pools. */
    static Duration lease() {
        return LEASE;
    }

    /** Performs the actions of people up to now. Returns true if a machine was requested or ended. */
    boolean act(Instant now) {
        hear();
        boolean isAny = false;
        while (!toCome.isEmpty() && !start.plus(toCome.peek().at()).isAfter(now)) {
            ask(toCome.poll(), now);
            isAny = true;
        }
        while (!ends.isEmpty() && !ends.peek().at().isAfter(now)) {
            end(ends.poll().machine());
            isAny = true;
        }
        return isAny;
    }

    boolean isDone() {
        return toCome.isEmpty() && live.isEmpty();
    }

    private void ask(Arrival arrival, Instant now) {
        UUID id = new UUID(random.nextLong(), random.nextLong());
        Request request = new Request(
                arrival.organisation(),
                arrival.project(),
                "simulated",
                arrival.gpu(),
                1,
                1,
                Optional.empty(),
                Optional.of(LEASE),
                Optional.empty());
        requests++;
        boolean isTaken = backend.transact(sql -> take(sql, id, request));
        if (isTaken) {
            live.put(id, new Session(arrival, now, Optional.empty()));
        } else {
            refused++;
        }
    }

    private boolean take(Sql sql, UUID id, Request request) {
        boolean isTaken = machineCreation.take(sql, id, request, KEY) instanceof MachineCreation.Answer.Taken;
        if (isTaken) {
            MachineRows.lock(sql, id).ifPresent(row -> machineCreation.claim(sql, row));
        }
        return isTaken;
    }

    private void end(UUID machine) {
        if (live.remove(machine) != null) {
            backend.run(sql -> machines.apply(sql, machine, new Observation.EndAsked("it is not needed any more")));
        }
    }

    // ---- states of machines

    private void hear() {
        for (News news : own.transact(this::news)) {
            lastEvent = news.seq();
            Session session = live.get(news.machine());
            if (session != null && news.isReady()) {
                ready(news, session);
            } else if (session != null) {
                over(news, session);
            }
        }
    }

    private List<News> news(Sql sql) {
        return sql.query(
                "SELECT e.seq, e.machine, e.type, e.at, m.end_reason FROM events e JOIN machines m ON m.id = e.machine"
                        + " WHERE e.seq > ? AND e.type IN ('READY', 'END_ASKED', 'ENDED') ORDER BY e.seq",
                row -> new News(
                        row.number("seq"),
                        row.object("machine", UUID.class),
                        row.text("type").equals("READY"),
                        row.time("at"),
                        row.optionalText("end_reason").map(EndReason::valueOf)),
                lastEvent);
    }

    private void ready(News news, Session session) {
        if (session.ready().isEmpty()) {
            live.put(news.machine(), new Session(session.arrival(), session.asked(), Optional.of(news.at())));
            ends.add(new End(news.at().plus(session.arrival().use()), news.machine()));
            waits.add(new SimulationOutcome.Wait(
                    session.arrival().account(),
                    session.arrival().gpu(),
                    Duration.between(session.asked(), news.at())));
        }
    }

    /** Handles the end of a machine that its user did not end: a budget ended it, or it failed. */
    private void over(News news, Session session) {
        live.remove(news.machine());
        if (news.reason().filter(EndReason.REQUESTED::equals).isPresent()) {
            cut++;
            return;
        }
        failed++;
        Duration used =
                session.ready().map(ready -> Duration.between(ready, news.at())).orElse(Duration.ZERO);
        Duration rest = session.arrival().use().minus(used);
        if (rest.isPositive()) {
            toCome.add(session.arrival().again(Duration.between(start, news.at()), rest));
        }
    }

    List<SimulationOutcome.Wait> waits() {
        return List.copyOf(waits);
    }

    int requests() {
        return requests;
    }

    int refused() {
        return refused;
    }

    int cut() {
        return cut;
    }

    int failed() {
        return failed;
    }
}
