package dev.outpost.backend.worker;

import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.WorkerRows.Wanted;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The machines of one worker host. Rows hold the desired machines. The host reads them, carries them out and writes its reports into the
 * same rows. So calls do not wait for the host, except a call that must be sure that a grant is valid.
 */
final class WorkerFleet implements MachineFleet {
    /** The silence after which a host counts as unreachable. It reports every few seconds. */
    static final Duration AWAY = Duration.ofSeconds(15);

    /** The longest time that a connected host may take to send a grant to a machine. */
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final long LOOK_MILLIS = 500;

    private final String installation;
    private final String cluster;
    private final Database database;
    private final WorkerSignals signals;
    private final Duration timeout;

    WorkerFleet(String installation, String cluster, Database database, WorkerSignals signals, Duration timeout) {
        this.installation = installation;
        this.cluster = cluster;
        this.database = database;
        this.signals = signals;
        this.timeout = timeout;
    }

    @Override
    public String installation() {
        return installation;
    }

    /** Refuses machines with options. The host refuses a GPU that it lacks, and reports the machine as failed. */
    @Override
    public void validate(DesiredMachine machine) {
        if (!machine.options().isEmpty()) {
            throw new IllegalArgumentException(
                    "worker: machines of a worker host are set up there, and have no options here," + " got "
                            + machine.options().keySet().stream().sorted().toList());
        }
    }

    @Override
    public MachineObservation ensure(DesiredMachine machine) {
        validate(machine);
        MachineObservation there = database.transact(sql -> {
            WorkerRows.add(sql, cluster, installation, machine);
            Wanted row = WorkerRows.find(sql, cluster, machine.machine()).orElseThrow();
            if (!row.installation().equals(installation)) {
                throw new FleetException(
                        Kind.REFUSED,
                        "worker: " + machine.machine() + " on " + cluster + " belongs to another installation");
            }
            return observation(row, contact(sql));
        });
        signals.changed(cluster);
        return there;
    }

    // ---- observing

    /** The time of the host's last report, and the present time. */
    private record Contact(Optional<Instant> heard, Instant now) {
        boolean isAway() {
            return heard.filter(time -> time.plus(AWAY).isAfter(now)).isEmpty();
        }
    }

    private Contact contact(Sql sql) {
        return new Contact(WorkerRows.host(sql, cluster).flatMap(WorkerRows.Host::heard), sql.now());
    }

    @Override
    public List<MachineObservation> list() {
        return database.transact(sql -> {
            Contact contact = contact(sql);
            return WorkerRows.all(sql, cluster).stream()
                    .filter(row -> row.installation().equals(installation))
                    .filter(row -> !isVanished(row))
                    .map(row -> observation(row, contact))
                    .toList();
        });
    }

    /** True if the host had the machine and lost it without an order to end it. */
    private static boolean isVanished(Wanted row) {
        return row.applied() > 0 && row.said().isEmpty() && !row.isEnding();
    }

    private MachineObservation observation(Wanted row, Contact contact) {
        if (row.isEnding()) {
            return seen(row, MachinePhase.ENDING, "its worker host " + cluster + " is told to end it", row.changed());
        }
        if (row.said().isEmpty()) {
            return seen(
                    row,
                    MachinePhase.SCHEDULING,
                    contact.isAway()
                            ? "worker host " + cluster + " is away"
                            : "worker host " + cluster + " is told to start it",
                    row.changed());
        }
        WorkerRows.Said said = row.said().get();
        boolean isLive = said.state().compareTo(MachinePhase.ENDED) < 0;
        return isLive && contact.isAway()
                ? seen(
                        row,
                        MachinePhase.UNREACHABLE,
                        "worker host " + cluster + " was not heard of for " + AWAY.toSeconds() + " s",
                        contact.heard().orElse(row.created()))
                : seen(row, said.state(), said.reason(), said.since());
    }

    private static MachineObservation seen(Wanted row, MachinePhase state, String reason, Instant since) {
        return new MachineObservation(
                row.machine(),
                row.gpu(),
                state,
                reason,
                state == MachinePhase.ENDED ? row.said().flatMap(WorkerRows.Said::endCause) : Optional.empty(),
                row.said().flatMap(WorkerRows.Said::address),
                row.created(),
                since.isBefore(row.created()) ? row.created() : since,
                row.labels());
    }

    @Override
    public FleetWatch watch(Consumer<MachineObservation> listener) {
        return WorkerRowWatch.open(signals.waiter(cluster), this::list, listener);
    }

    // ---- changing

    @Override
    public void bind(MachineRef machine, Grant grant) {
        changeGrants(
                machine,
                lines -> Stream.concat(without(lines, grant.tokenSha256()), Stream.of(grant.line())),
                hashes -> hashes.filter(hash -> !hash.equals(grant.tokenSha256())));
    }

    @Override
    public void revoke(MachineRef machine, String tokenSha256) {
        changeGrants(
                machine,
                lines -> without(lines, tokenSha256),
                hashes -> Stream.concat(hashes, Stream.of(tokenSha256)).distinct());
    }

    private static Stream<String> without(Stream<String> lines, String tokenSha256) {
        return lines.filter(line -> !line.startsWith(tokenSha256));
    }

    private void changeGrants(
            MachineRef machine, UnaryOperator<Stream<String>> grants, UnaryOperator<Stream<String>> revoked) {
        database.run(sql -> {
            Wanted row = live(WorkerRows.lock(sql, cluster, machine), machine);
            List<String> nextGrants = grants.apply(row.grants().stream()).toList();
            List<String> nextRevoked = revoked.apply(row.revoked().stream()).toList();
            if (!nextGrants.equals(row.grants()) || !nextRevoked.equals(row.revoked())) {
                WorkerRows.setGrants(sql, cluster, machine, nextGrants, nextRevoked);
            }
        });
        awaitApplied(machine);
    }

    private Wanted live(Optional<Wanted> row, MachineRef machine) {
        return row.filter(known -> known.installation().equals(installation))
                .filter(known -> !known.isEnding() && !isVanished(known))
                .filter(known -> known.said()
                        .filter(said -> said.state().compareTo(MachinePhase.ENDED) >= 0)
                        .isEmpty())
                .orElseThrow(() -> new FleetException(
                        Kind.NOT_FOUND, "worker: " + cluster + " has no machine " + machine + ", or it has ended"));
    }

    /** Waits until the host has applied the grant, because the caller uses it immediately. */
    private void awaitApplied(MachineRef machine) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (WorkerSignals.Waiter waiter = signals.waiter(cluster)) {
            signals.changed(cluster);
            while (!isApplied(machine)) {
                if (System.nanoTime() > deadline || !waiter.await(LOOK_MILLIS)) {
                    throw new FleetException(
                            Kind.UNAVAILABLE,
                            "worker: " + cluster + " has not told " + machine + " of its grants within "
                                    + timeout.toMillis() + " ms");
                }
            }
        }
    }

    private boolean isApplied(MachineRef machine) {
        Wanted row = database.transact(sql -> live(WorkerRows.find(sql, cluster, machine), machine));
        return row.applied() >= row.version();
    }

    @Override
    public void end(MachineRef machine) {
        database.run(sql -> WorkerRows.end(sql, cluster, installation, machine));
        signals.changed(cluster);
    }

    @Override
    public Multi<String> logs(MachineRef machine, boolean follow) {
        return WorkerLog.of(database, cluster, installation, machine, follow, signals);
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
