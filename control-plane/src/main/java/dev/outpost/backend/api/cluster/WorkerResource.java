package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.api.WorkerCaller;
import dev.outpost.backend.api.WorkerEndpoint;
import dev.outpost.backend.api.machine.MachineInputs;
import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.ReportRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.worker.WorkerSecret;
import dev.outpost.backend.worker.WorkerStateSync;
import dev.outpost.channel.Trust;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.worker.WorkerOrders;
import dev.outpost.rest.worker.WorkerOrders.WorkerOrder;
import dev.outpost.rest.worker.WorkerPaired;
import dev.outpost.rest.worker.WorkerPairing;
import dev.outpost.rest.worker.WorkerReport;
import dev.outpost.rest.worker.WorkerReport.LogReport;
import dev.outpost.rest.worker.WorkerReport.MachineReport;
import dev.outpost.rest.worker.WorkerReport.UseReport;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The calls of worker hosts, which read orders and send reports. The code or key of a call identifies the host. */
@Path("/v1/worker")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "worker")
public class WorkerResource {

    private static final int MAX_REASON = 1_000;
    private static final List<String> TAKES = List.of("labels");
    private static final int MAX_LINE = 2_000;

    private final WorkerCaller caller;
    private final WorkerStateSync workerSync;
    private final Database database;
    private final GpuCatalogue catalogue;
    private final Wakeups wakeups;
    private final RunnerKeys runners;

    WorkerResource(
            WorkerCaller caller,
            WorkerStateSync workerSync,
            Database database,
            GpuCatalogue catalogue,
            Wakeups wakeups,
            RunnerKeys runners) {
        this.caller = caller;
        this.workerSync = workerSync;
        this.database = database;
        this.catalogue = catalogue;
        this.wakeups = wakeups;
        this.runners = runners;
    }

    @POST
    @Path("join")
    @WorkerEndpoint(WorkerSecret.Kind.CODE)
    @Operation(summary = "Pairs a worker host by its code, once: from then on its key opens the other calls")
    public WorkerPaired join(WorkerPairing pairing) {
        WorkerPairing body = Inputs.required(pairing);
        if (body.keySha256() == null || !body.keySha256().matches("[0-9a-f]{64}")) {
            throw Problem.invalid("keySha256: expected the 64 lower-case hex digits of the key's SHA-256");
        }
        String cluster = caller.cluster();
        byte[] hash = HexFormat.of().parseHex(body.keySha256());
        database.run(sql -> {
            if (!WorkerRows.pair(sql, cluster, caller.secret().hash(), hash)) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "worker " + cluster + ": the code was used or is over; an operator makes a new one by POST"
                                + " /v1/clusters/" + cluster + ":pair");
            }
            offer(sql, cluster, body.gpus(), body.machines());
            AuditRows.add(sql, TenantRows.OPERATOR, "worker " + cluster, "worker.pair", cluster, "");
        });
        wakeups.all();
        return new WorkerPaired(cluster);
    }

    private void offer(Sql sql, String cluster, List<String> gpus, Integer machines) {
        if (gpus == null || gpus.isEmpty() || machines == null || machines < 1 || machines > Bounds.WORKER_MACHINES) {
            throw Problem.invalid("gpus, machines: expected the kinds that the host has and 1 to "
                    + Bounds.WORKER_MACHINES + " machines, got " + gpus + " and " + machines);
        }
        Inputs.few("gpus", gpus, Bounds.CLUSTER_KINDS);
        List<String> kinds = gpus.stream()
                .map(name -> catalogue.find(name).name())
                .distinct()
                .toList();
        ClusterRows.Stored there =
                ClusterRows.find(sql, cluster).orElseThrow(() -> Problem.notFound("cluster", cluster));
        ClusterRows.Stored next = there.withRoom(kinds, OptionalInt.of(machines));
        if (!next.equals(there) && !ClusterRows.update(sql, next)) {
            throw Problem.changedSince("cluster", cluster);
        }
    }

    private static WorkerStateSync.Present present(MachineReport report) {
        MachineAddress address = report.host() == null || report.port() == null || report.certificate() == null
                ? null
                : new MachineAddress(report.host(), report.port(), new Trust.Pin(report.certificate()));
        boolean isComplete = report.state() != null && report.reason() != null && report.since() != null;
        boolean fits = isComplete
                && (report.endCause() != null) == (report.state() == MachinePhase.ENDED)
                && report.state() != MachinePhase.GONE;
        if (!fits || report.state() == MachinePhase.READY && address == null) {
            throw Problem.invalid("list: expected a state, its reason and its time, an end's cause and where a ready"
                    + " machine serves, got " + report.id() + " without one of them");
        }
        return new WorkerStateSync.Present(
                new MachineRef(report.id(), report.epoch()),
                report.applied(),
                new WorkerRows.Said(
                        report.state(),
                        shortened(report.reason(), MAX_REASON),
                        Optional.ofNullable(report.endCause()),
                        Optional.ofNullable(address),
                        report.since()),
                found(report));
    }

    private static Optional<WorkerStateSync.Found> found(MachineReport report) {
        if (report.gpu() == null || report.labels() == null) {
            return Optional.empty();
        }
        boolean isGood = report.labels().size() <= Bounds.WORKER_LABELS
                && report.labels().values().stream()
                        .allMatch(value -> value != null && value.length() <= Bounds.WORKER_LABEL);
        if (!isGood || report.gpu().length() > Bounds.WORKER_LABEL) {
            throw Problem.invalid("labels: expected up to " + Bounds.WORKER_LABELS + " texts of up to "
                    + Bounds.WORKER_LABEL + " characters, and a GPU of such a text");
        }
        return Optional.of(new WorkerStateSync.Found(report.gpu(), report.labels()));
    }

    private static ReportRows.Report used(UseReport use, UUID machine) {
        if (use.sessions() < 0 || use.liveBytes() < 0 || use.engineNanos() < 0) {
            throw Problem.invalid("uses: expected sessions, bytes and time of 0 or more, got something else");
        }
        return new ReportRows.Report(
                machine,
                MachineInputs.checkedHash(use.tokenSha256()),
                use.sessions(),
                Optional.ofNullable(use.lastSeen()),
                use.liveBytes(),
                use.engineNanos());
    }

    private static List<ReportRows.Report> uses(List<MachineReport> list) {
        return list.stream()
                .filter(machine -> machine.uses() != null)
                .flatMap(machine -> uses(machine.uses(), Inputs.uuid(machine.id())))
                .toList();
    }

    private static Stream<ReportRows.Report> uses(List<UseReport> uses, UUID machine) {
        if (uses.size() > Bounds.WORKER_USES) {
            throw Problem.invalid(
                    "uses: expected up to " + Bounds.WORKER_USES + " grants of a machine, got " + uses.size());
        }
        return uses.stream().map(use -> used(use, machine));
    }

    private static String shortened(String text, int max) {
        String clean = text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > max ? clean.substring(0, max) + "..." : clean;
    }

    private static WorkerStateSync.LogPart part(LogReport log) {
        if (log.first() < 0 || log.lines() == null || log.lines().stream().anyMatch(Objects::isNull)) {
            throw Problem.invalid("logs: expected lines and the number of the first of them, from 0");
        }
        Inputs.few("lines", log.lines(), Bounds.WORKER_LINES);
        return new WorkerStateSync.LogPart(
                new MachineRef(log.id(), log.epoch()),
                log.first(),
                log.lines().stream().map(line -> shortened(line, MAX_LINE)).toList());
    }

    @POST
    @Path("report")
    @WorkerEndpoint(WorkerSecret.Kind.KEY)
    @Operation(summary = "Tells what machines a worker host has, all of them; also its sign of life")
    public Response report(WorkerReport report) {
        WorkerReport body = Inputs.required(report);
        if (body.read() == null || body.list() == null || body.list().size() > Bounds.WORKER_LISTED) {
            throw Problem.invalid(
                    "read, list: expected the version of the orders, and up to " + Bounds.WORKER_LISTED + " machines");
        }
        String host = ResourceNames.text("host", body.host());
        String version = ResourceNames.text("version", body.version());
        if (body.gpus() != null) {
            database.run(sql -> offer(sql, caller.cluster(), body.gpus(), body.machines()));
        }
        workerSync.report(
                caller.cluster(),
                new WorkerStateSync.Report(
                        host,
                        version,
                        body.read(),
                        body.list().stream().map(WorkerResource::present).toList(),
                        Inputs.few("logs", body.logs(), Bounds.WORKER_LISTED).stream()
                                .map(WorkerResource::part)
                                .toList(),
                        uses(body.list())));
        return Response.noContent().build();
    }

    private static WorkerOrders view(WorkerStateSync.Orders desired, RunnerKeys runners) {
        return new WorkerOrders(
                desired.version(),
                desired.machines().stream().map(row -> view(row, runners)).toList(),
                TAKES);
    }

    private static WorkerOrder view(WorkerRows.Wanted row, RunnerKeys runners) {
        MachineBounds bounds = row.bounds();
        return new WorkerOrder(
                row.machine().id(),
                row.machine().epoch(),
                row.version(),
                row.isEnding(),
                row.applied() > 0,
                row.gpu(),
                row.gpus(),
                bounds.memoryBytes().isPresent() ? bounds.memoryBytes().getAsLong() : null,
                millis(bounds.lease()),
                millis(bounds.idle()),
                millis(bounds.life()),
                row.labels(),
                row.grants(),
                row.revoked(),
                row.hasJob() && !row.isEnding()
                        ? runners.token(Inputs.uuid(row.machine().id()))
                        : null);
    }

    private static Long millis(Optional<Duration> time) {
        return time.map(Duration::toMillis).orElse(null);
    }

    @GET
    @Path("orders")
    @WorkerEndpoint(WorkerSecret.Kind.KEY)
    @Operation(summary = "What machines shall be on a worker host; with ?after=VERSION&wait=SECONDS when that changes")
    public WorkerOrders orders(
            @QueryParam("after") @DefaultValue("-1") long after, @QueryParam("wait") @DefaultValue("0") int wait) {
        return view(
                workerSync.orders(
                        caller.cluster(), after, Duration.ofSeconds(Math.clamp(wait, 0, Bounds.WAIT_SECONDS))),
                runners);
    }
}
