package dev.outpost.backend.worker;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.ReportRows;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.WorkerRows.Said;
import dev.outpost.backend.store.WorkerRows.Wanted;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineRef;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** The exchange with worker hosts: returns their orders and applies their reports. */
public final class WorkerStateSync {
    private static final Logger LOG = Logger.getLogger(WorkerStateSync.class);

    /** The pause between two queries, in milliseconds. Changes by other replicas are found with this delay. */
    private static final long LOOK_MILLIS = 2_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The maximum number of lines of a machine's log that are stored. Later lines are dropped. */
    private static final int MAX_LINES = 20_000;

    private final Database database;
    private final String installation;
    private final WorkerSignals signals;
    private final OrderSignatures signatures;

    /**
     * Makes the exchange with all worker hosts.
     *
     * @param installation the name that distinguishes machines of this backend from machines of other backends
     * @param keys sign orders; without any, machines whose rows were lost are ended
     */
    public WorkerStateSync(Database database, String installation, WorkerSignals signals, SealKeys keys) {
        this.database = database;
        this.installation = installation;
        this.signals = signals;
        this.signatures = new OrderSignatures(keys);
    }

    /** The desired machines of a host, with their version. Their labels are signed. */
    public record Orders(long version, List<Wanted> machines) {}

    /**
     * A machine on a host.
     *
     * @param applied the version of the order that the host has carried out
     * @param found the kind of GPU and the labels, for a backend that has lost the machine's row; empty if the host
     *     does not report them
     */
    public record Present(MachineRef machine, long applied, Said said, Optional<Found> found) {}

    /** The kind of GPU of a machine, and the signed labels of its order, which name its owner. */
    public record Found(String gpu, Map<String, String> labels) {}

    /**
     * The report of a host.
     *
     * @param host its name, for people
     * @param version the version of its program
     * @param read the version of the orders that the host had read before it made the list
     * @param list all machines that it has
     * @param logs the new lines of their logs
     * @param uses the use of the grants of its machines
     */
    public record Report(
            String host,
            String version,
            long read,
            List<Present> list,
            List<LogPart> logs,
            List<ReportRows.Report> uses) {}

    /** Lines of a machine's log, from a number on. */
    public record LogPart(MachineRef machine, int first, List<String> lines) {}

    /** Returns the desired machines of the host once they have a later version, or after {@code atMost}. */
    public Orders orders(String cluster, long after, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try (WorkerSignals.Waiter waiter = signals.waiter(cluster)) {
            while (version(cluster) == after && System.nanoTime() < deadline) {
                long left = Math.max(1, (deadline - System.nanoTime()) / NANOS_PER_MILLI);
                if (!waiter.await(Math.min(LOOK_MILLIS, left))) {
                    break;
                }
            }
        }
        Orders desired =
                database.transact(sql -> new Orders(WorkerRows.version(sql, cluster), WorkerRows.all(sql, cluster)));
        return new Orders(
                desired.version(), desired.machines().stream().map(this::signed).toList());
    }

    private Wanted signed(Wanted row) {
        return row.withLabels(signatures.sign(row.machine(), row.gpu(), row.labels()));
    }

    private long version(String cluster) {
        return database.transact(sql -> WorkerRows.version(sql, cluster));
    }

    /** Applies a complete list of the host's machines. */
    public void report(String cluster, Report report) {
        long read = report.read();
        Map<MachineRef, Present> byRef = report.list().stream()
                .collect(Collectors.toMap(Present::machine, Function.identity(), (one, other) -> one));
        database.run(sql -> {
            WorkerRows.hear(sql, cluster, report.host(), report.version());
            if (WorkerRows.seen(sql, cluster, newest(report))) {
                LOG.warnf(
                        "worker %s knows of changes that the database has lost; its machines are taken in again",
                        cluster);
            }
            List<Wanted> rows = WorkerRows.all(sql, cluster);
            rows.stream()
                    .filter(row -> isNews(row, read, Optional.ofNullable(byRef.get(row.machine()))))
                    .forEach(row -> take(sql, cluster, row.machine(), read, byRef));
            find(sql, cluster, rows, report.list());
            report.logs().forEach(part -> keep(sql, cluster, part));
            ReportRows.put(sql, cluster, report.uses());
        });
        signals.changed(cluster);
    }

    private static long newest(Report report) {
        return report.list().stream().mapToLong(Present::applied).reduce(report.read(), Math::max);
    }

    /**
     * Finds machines whose rows were lost, because an order is written before a host has the machine, so a machine without an order has
     * lost its row.
     */
    private void find(Sql sql, String cluster, List<Wanted> rows, List<Present> list) {
        Set<MachineRef> known = rows.stream().map(Wanted::machine).collect(Collectors.toSet());
        list.stream()
                .filter(present -> !known.contains(present.machine()))
                .filter(present -> present.said().state().compareTo(MachinePhase.ENDED) < 0)
                .forEach(present -> present.found().ifPresent(found -> find(sql, cluster, present, found)));
    }

    /**
     * Inserts a found machine. A machine whose labels this backend has not signed belongs to no tenant, and the observer of its cluster
     * ends it.
     */
    private void find(Sql sql, String cluster, Present present, Found found) {
        MachineRef machine = present.machine();
        Optional<Map<String, String>> labels = signatures.verify(machine, found.gpu(), found.labels());
        if (WorkerRows.find(sql, cluster, installation, machine, found.gpu(), labels.orElse(Map.of()))) {
            WorkerRows.say(sql, cluster, machine, present.applied(), Optional.of(present.said()));
            ClusterRows.adopt(sql, cluster);
            LOG.warnf(
                    "worker %s has %s, which no row knows%s",
                    cluster, machine, labels.isPresent() ? "" : ", and whose labels were not signed here: it is ended");
        }
    }

    /**
     * True if the host reports a change of a machine. Most reports contain no change, and then nothing is written.
     */
    private static boolean isNews(Wanted row, long read, Optional<Present> present) {
        boolean isOver = present.isEmpty() && row.isEnding() && read >= row.version();
        boolean isSaid = present.map(Present::said).equals(row.said())
                && present.map(Present::applied).orElse(0L) <= row.applied();
        return isOver || !isSaid;
    }

    private static void take(Sql sql, String cluster, MachineRef machine, long read, Map<MachineRef, Present> byRef) {
        Optional<Wanted> locked = WorkerRows.lock(sql, cluster, machine);
        if (locked.isEmpty()) {
            return;
        }
        Wanted row = locked.get();
        Optional<Present> present = Optional.ofNullable(byRef.get(machine));
        boolean isRead = read >= row.version();
        if (present.isEmpty() && row.isEnding() && isRead) {
            WorkerRows.remove(sql, cluster, machine);
        } else if (present.isPresent() || row.applied() > 0) {
            sayIfNew(sql, cluster, row, present);
        }
    }

    private static void sayIfNew(Sql sql, String cluster, Wanted row, Optional<Present> present) {
        long applied = present.map(Present::applied).orElse(0L);
        Optional<Said> said = present.map(Present::said);
        if (applied > row.applied() || !said.equals(row.said())) {
            WorkerRows.say(sql, cluster, row.machine(), applied, said);
        }
    }

    private static void keep(Sql sql, String cluster, LogPart part) {
        boolean isKnown = WorkerRows.find(sql, cluster, part.machine()).isPresent();
        List<String> lines = part.lines().stream()
                .limit(Math.max(0, MAX_LINES - part.first()))
                .toList();
        if (isKnown && !lines.isEmpty()) {
            WorkerRows.keepLines(sql, cluster, part.machine(), part.first(), lines);
        }
    }
}
