package dev.outpost.backend.api.job;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RunnerCaller;
import dev.outpost.backend.api.RunnerEndpoint;
import dev.outpost.backend.api.machine.MachineInputs;
import dev.outpost.backend.fleet.Jobs;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.job.AttemptRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.runner.AppendedTo;
import dev.outpost.rest.runner.RunnerBegin;
import dev.outpost.rest.runner.RunnerBegun;
import dev.outpost.rest.runner.RunnerBegun.RunOrder;
import dev.outpost.rest.runner.RunnerExit;
import dev.outpost.rest.runner.RunnerOrders;
import dev.outpost.rest.runner.RunnerSign;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The calls of the runners of jobs. The token of a call identifies the machine and its run. */
@Path("/v1/runner")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "runner")
public class RunnerResource {
    private static final int SLICE = 1 << 20;

    private final RunnerCaller caller;
    private final Database database;
    private final Jobs jobs;
    private final SealKeys seals;
    private final Wakeups wakeups;
    private final StoredBytes stored;

    RunnerResource(
            RunnerCaller caller, Database database, Jobs jobs, SealKeys seals, Wakeups wakeups, StoredBytes stored) {
        this.stored = stored;
        this.caller = caller;
        this.database = database;
        this.jobs = jobs;
        this.seals = seals;
        this.wakeups = wakeups;
    }

    @POST
    @Path("begin")
    @RunnerEndpoint
    @Operation(
            summary =
                    "Lets one process begin the run, once its machine can be used; repeating it gives the same answer")
    public RunnerBegun begin(RunnerBegin request) {
        RunnerBegin body = Inputs.required(request);
        UUID runner = Inputs.uuid(body.runner());
        String hash = MachineInputs.checkedHash(body.tokenSha256());
        RunnerBegun answer = database.transact(sql -> begin(sql, runner, hash));
        wakeups.driver();
        return answer;
    }

    private RunnerBegun begin(Sql sql, UUID runner, String hash) {
        return switch (jobs.begin(sql, caller.machine(), runner, hash)) {
            case Jobs.Beginning.Over over -> throw over();
            case Jobs.Beginning.NotYet notYet -> new RunnerBegun(null);
            case Jobs.Beginning.Begun begun -> new RunnerBegun(run(sql, begun.job()));
        };
    }

    private static Problem over() {
        return Problem.of(
                Problem.Code.GONE,
                "runner: the run is over, or another process has begun it; nothing is to be done here");
    }

    private RunOrder run(Sql sql, Job row) {
        Machine.Address address = MachineRows.find(sql, row.machine().orElseThrow())
                .flatMap(Machine::address)
                .orElseThrow(RunnerResource::over);
        FileRows.Stored file = FileRows.find(
                        sql, row.spec().organisation(), row.spec().program())
                .orElseThrow();
        Map<String, String> environment = new LinkedHashMap<>(row.spec().environment());
        row.spec().secrets().forEach(name -> secret(sql, row, name).ifPresent(value -> environment.put(name, value)));
        return new RunOrder(
                row.id(),
                row.attempt(),
                row.spec().gpu(),
                row.spec().program(),
                row.spec().programName(),
                file.size(),
                row.spec().arguments(),
                environment,
                row.spec().timeout().toMillis(),
                JobStateMachine.contact(row).map(Duration::toMillis).orElse(null),
                address.host(),
                address.port(),
                address.certificate());
    }

    /** Returns the present value of a secret; empty if it was removed after the job was requested. */
    private Optional<String> secret(Sql sql, Job row, String name) {
        String organisation = row.spec().organisation();
        String project = row.spec().project();
        return SecretRows.find(sql, organisation, project, name)
                .map(stored -> new String(
                        seals.open(SecretRows.place(organisation, project, name), stored.value()),
                        StandardCharsets.UTF_8));
    }

    @GET
    @Path("program")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @RunnerEndpoint
    @Operation(summary = "Bytes of the program, up to 1 MiB from an offset on")
    public Response program(@QueryParam("from") @DefaultValue("0") long from) {
        byte[] bytes = database.transact(sql -> {
            Job row = JobRows.lockOf(sql, caller.machine()).orElseThrow(RunnerResource::over);
            return FileRows.find(sql, row.spec().organisation(), row.spec().program())
                    .map(file -> ContentRows.read(sql, file.content(), Math.max(0, from), SLICE)
                            .bytes())
                    .orElseThrow(RunnerResource::over);
        });
        return Response.ok(bytes).build();
    }

    @PUT
    @Path("log")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @RunnerEndpoint
    @Operation(summary = "Adds a part of up to 200 KiB to the log; the answer says where the next one begins")
    public AppendedTo log(@QueryParam("from") @DefaultValue("0") long from, byte[] part) {
        requirePart(from, part);
        if (from + part.length > Bounds.LOG_BYTES) {
            throw Problem.invalid("from: a log has up to " + Bounds.LOG_BYTES + " bytes, got a part that ends at "
                    + (from + part.length));
        }
        return database.transact(sql -> new AppendedTo(log(sql, from, part)));
    }

    /**
     * Appends a part to the run's log, and returns the offset of the next part. Drops bytes for which the
     * organisation has no room, and says so in an event of the job; the run continues.
     */
    private long log(Sql sql, long from, byte[] part) {
        AttemptRows.Attempt attempt = attempt(sql);
        Job row = JobRows.find(sql, attempt.job()).orElseThrow(RunnerResource::over);
        if (stored.isRoom(sql, row.spec().organisation(), part.length)) {
            return ContentRows.append(sql, attempt.log(), from, part);
        }
        JobRows.note(
                sql,
                row,
                "the log of run " + attempt.number()
                        + " is not kept whole: the organisation's quota of stored bytes is used up");
        return from + part.length;
    }

    @PUT
    @Path("artefacts")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @RunnerEndpoint
    @Operation(summary = "Adds a part of up to 200 KiB to a file that the run leaves")
    public AppendedTo artefact(
            @QueryParam("path") @DefaultValue("") String path,
            @QueryParam("from") @DefaultValue("0") long from,
            byte[] part) {
        requirePart(from, part);
        Inputs.artefactPath(path);
        return database.transact(sql -> {
            Job row = JobRows.lockOf(sql, caller.machine()).orElseThrow(RunnerResource::over);
            int number = attempt(sql).number();
            List<AttemptRows.Artefact> there = AttemptRows.artefacts(sql, row.id(), number);
            long bytes = there.stream().mapToLong(AttemptRows.Artefact::size).sum();
            if (bytes + part.length > Bounds.ARTEFACT_BYTES || there.size() >= Bounds.ARTEFACTS) {
                throw Problem.of(
                        Problem.Code.QUOTA_EXCEEDED,
                        "a run leaves up to " + Bounds.ARTEFACTS + " files and " + Bounds.ARTEFACT_BYTES
                                + " bytes; write more to a store of your own");
            }
            stored.require(sql, row.spec().organisation(), part.length);
            return new AppendedTo(ContentRows.append(sql, AttemptRows.artefact(sql, row, number, path), from, part));
        });
    }

    private static void requirePart(long from, byte[] part) {
        if (from < 0 || from > Bounds.FILE_BYTES || part == null || part.length > Bounds.FILE_PART_BYTES) {
            throw Problem.invalid("from: expected parts of up to " + Bounds.FILE_PART_BYTES + " bytes, from 0 on");
        }
    }

    private AttemptRows.Attempt attempt(Sql sql) {
        return AttemptRows.ofMachine(sql, caller.machine()).orElseThrow(RunnerResource::over);
    }

    @POST
    @Path("heard")
    @RunnerEndpoint
    @Operation(summary = "A sign of life; the answer says whether the program is to end")
    public RunnerOrders onSign(RunnerSign request) {
        UUID runner = Inputs.uuid(Inputs.required(request).runner());
        return database.transact(sql -> {
            Job row = JobRows.lockOf(sql, caller.machine()).orElseThrow(RunnerResource::over);
            Job next = jobs.apply(sql, row, new JobObservation.Heard(caller.machine(), runner));
            return new RunnerOrders(next.phase() != JobPhase.RUNNING
                    || next.machine().filter(caller.machine()::equals).isEmpty());
        });
    }

    @POST
    @Path("exited")
    @RunnerEndpoint
    @Operation(summary = "The program has ended, and its log and files were sent; repeating it changes nothing")
    public Response exited(RunnerExit request) {
        RunnerExit body = Inputs.required(request);
        UUID runner = Inputs.uuid(body.runner());
        String text = body.text() == null ? "" : body.text().replaceAll("\\p{Cntrl}", " ");
        database.run(sql -> {
            Job row = JobRows.lockOf(sql, caller.machine()).orElseThrow(RunnerResource::over);
            jobs.apply(
                    sql,
                    row,
                    new JobObservation.Exited(
                            caller.machine(),
                            runner,
                            body.code(),
                            body.timeout(),
                            text.substring(0, Math.min(Bounds.REPORTED_TEXT, text.length()))));
        });
        wakeups.jobs();
        return Response.noContent().build();
    }
}
