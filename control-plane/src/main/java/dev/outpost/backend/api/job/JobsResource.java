package dev.outpost.backend.api.job;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.LongAnswers;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.Jobs;
import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.store.MachineRows.Position;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.job.AttemptRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.job.ArtefactView;
import dev.outpost.rest.job.JobRequest;
import dev.outpost.rest.job.JobView;
import dev.outpost.rest.job.JobView.JobEventView;
import dev.outpost.rest.job.JobView.RunView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Jobs: programs that run beside a machine until they end. */
@Path("/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "jobs")
public class JobsResource extends ApiResource {
    private static final String ID = "{id: [^/:]+}";
    private static final int MAX_EVENTS = 200;
    private static final int SLICE = 1 << 20;
    private static final Duration LOOK = Duration.ofMillis(300);

    private final GpuCatalogue catalogue;
    private final Jobs jobs;
    private final RunnerKeys runners;
    private final Wakeups wakeups;
    private final LongAnswers answers;

    JobsResource(GpuCatalogue catalogue, Jobs jobs, RunnerKeys runners, Wakeups wakeups, LongAnswers answers) {
        this.catalogue = catalogue;
        this.jobs = jobs;
        this.runners = runners;
        this.wakeups = wakeups;
        this.answers = answers;
    }

    private static JobView view(Job row) {
        return view(row, null, null);
    }

    private static JobView view(Job row, List<RunView> runs, List<JobEventView> events) {
        return new JobView(
                row.id(),
                row.version(),
                row.phase(),
                row.text(),
                row.since(),
                row.spec().name(),
                row.spec().project(),
                row.spec().owner(),
                row.spec().gpu(),
                row.spec().program(),
                row.spec().programName(),
                row.spec().arguments(),
                row.spec().secrets(),
                row.spec().retries(),
                row.spec().timeout(),
                row.attempt(),
                row.machine().orElse(null),
                row.exitCode().orElse(null),
                row.created(),
                runs,
                events);
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Jobs, the newest first")
    public Page<JobView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        Optional<Position> after = request.created();
        Optional<String> only = caller.projectFilter(project);
        return page(
                request,
                sql -> JobRows.page(sql, caller.organisation(), only, after, request.rows()),
                JobsResource::view,
                row -> row.created() + " " + row.id());
    }

    @GET
    @Path(ID)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One job, with its runs and what happened to it")
    public JobView get(@PathParam("id") String id) {
        UUID job = Inputs.uuid(id);
        return transact(sql -> view(sql, visible(JobRows.find(sql, job), job)));
    }

    private static JobView view(Sql sql, Job row) {
        return view(
                row,
                AttemptRows.of(sql, row.id()).stream()
                        .map(run -> new RunView(run.number(), run.machine(), run.begun()))
                        .toList(),
                JobRows.events(sql, row.id(), MAX_EVENTS).stream()
                        .map(event -> new JobEventView(event.at(), event.phase(), event.text()))
                        .toList());
    }

    @PUT
    @Path(ID)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Asks for a job under an id that the client has drawn; repeating it changes nothing",
            description =
                    "Its program was sent to /v1/files before. It runs once at the most, unless it asks for retries.")
    public Response put(@PathParam("id") String id, JobRequest request) {
        UUID job = Inputs.uuid(id);
        JobSpec spec = JobInputs.checked(Inputs.required(request), caller, catalogue);
        requireRunners(runners);
        Response response = transact(sql -> put(sql, job, spec));
        wakeups.jobs();
        return response;
    }

    static void requireRunners(RunnerKeys runners) {
        if (!runners.isReady()) {
            throw Problem.of(
                    Problem.Code.UNAVAILABLE,
                    "jobs need a key that seals, the same for all replicas; set OUTPOST_BACKEND_SEAL_KEY");
        }
    }

    private Response put(Sql sql, UUID id, JobSpec spec) {
        Optional<Job> there = JobRows.find(sql, id);
        if (there.isPresent()) {
            return Response.ok(view(same(there.get(), spec))).build();
        }
        requireParts(sql, spec);
        Job row = Job.created(id, spec, sql.now());
        if (!JobRows.insert(sql, row)) {
            // Another request with the same id was committed first.
            return Response.ok(view(same(JobRows.find(sql, id).orElseThrow(), spec)))
                    .build();
        }
        return Response.status(201).entity(view(row)).build();
    }

    private Job same(Job there, JobSpec spec) {
        Job seen = visible(Optional.of(there), there.id());
        if (!seen.spec().equals(spec)) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "job " + there.id() + ": there is one of this id that was asked for otherwise; draw a new id");
        }
        return seen;
    }

    /** Fails if the project, the program or a secret that a job names does not exist. */
    static void requireParts(Sql sql, JobSpec spec) {
        TenantRows.Project project = TenantRows.project(sql, spec.organisation(), spec.project())
                .orElseThrow(() -> Problem.notFound("project", spec.project()));
        if (project.archived().isPresent()) {
            throw Problem.of(
                    Problem.Code.CONFLICT, "project " + project.name() + ": it is archived, and takes no jobs");
        }
        Inputs.requireGpu(sql, spec.gpu());
        FileRows.find(sql, spec.organisation(), spec.program())
                .filter(FileRows.Stored::isComplete)
                .orElseThrow(() -> Problem.invalid(
                        "program: " + spec.program() + " is not there whole; send it to /v1/files first"));
        spec.secrets()
                .forEach(name -> SecretRows.find(sql, spec.organisation(), spec.project(), name)
                        .orElseThrow(() ->
                                Problem.invalid("secrets: project " + spec.project() + " has no secret " + name)));
    }

    @POST
    @Path(ID + ":cancel")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Ends a job; repeating it changes nothing")
    public JobView cancel(@PathParam("id") String id) {
        UUID job = Inputs.uuid(id);
        JobView view = transact(sql -> {
            Job row = visible(JobRows.lock(sql, job), job);
            return view(sql, jobs.apply(sql, row, new JobObservation.CancelAsked("key " + caller.keyId())));
        });
        wakeups.jobs();
        return view;
    }

    // ---- logs and files of runs

    @GET
    @Path(ID + "/log")
    @Produces(MediaType.TEXT_PLAIN)
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "What a run has printed, up to 1 MiB from an offset on; with ?wait=SECONDS once there is more",
            description = "Outpost-Next says where to go on, and Outpost-Ended whether nothing comes after that.")
    public Response log(
            @PathParam("id") String id,
            @QueryParam("run") Integer run,
            @QueryParam("from") @DefaultValue("0") long from,
            @QueryParam("wait") @DefaultValue("0") int wait) {
        UUID job = Inputs.uuid(id);
        Supplier<Log> look = () -> transact(sql -> log(sql, job, run, Math.max(0, from)));
        Log log = look.get();
        if (wait > 0 && !log.isNews()) {
            log = await(look, Duration.ofSeconds(Math.min(wait, Bounds.WAIT_SECONDS)));
        }
        return Response.ok(log.slice().bytes())
                .header("Outpost-Next", log.slice().next())
                .header("Outpost-Run", log.run())
                .header("Outpost-Ended", log.isEnded())
                .build();
    }

    /** Reads the log repeatedly until it has more bytes, or the time is over. */
    private Log await(Supplier<Log> look, Duration atMost) {
        Runnable close = answers.open(LongAnswers.Kind.LOGS, caller.organisation());
        try {
            long begin = System.nanoTime();
            while (true) {
                pause();
                Log log = look.get();
                if (log.isNews() || System.nanoTime() - begin > atMost.toNanos()) {
                    return log;
                }
            }
        } finally {
            close.run();
        }
    }

    /** Bytes of the log of a run. */
    private record Log(ContentRows.Slice slice, int run, boolean isEnded) {
        boolean isNews() {
            return slice.bytes().length > 0 || isEnded;
        }
    }

    private Log log(Sql sql, UUID id, Integer run, long from) {
        Job row = visible(JobRows.find(sql, id), id);
        int number = run == null ? Math.max(1, row.attempt()) : run;
        boolean isOver = row.phase().isOver() || row.attempt() > number;
        Optional<AttemptRows.Attempt> attempt = AttemptRows.find(sql, id, number);
        if (attempt.isEmpty()) {
            return new Log(new ContentRows.Slice(new byte[0], from, 0), number, isOver);
        }
        ContentRows.Slice slice = ContentRows.read(sql, attempt.get().log(), from, SLICE);
        return new Log(slice, number, isOver && slice.next() >= slice.size());
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Problem.of(Problem.Code.UNAVAILABLE, "the backend is shutting down; ask again");
        }
    }

    @GET
    @Path(ID + "/artefacts")
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The files that a run left; of the last run unless ?run says which")
    public List<ArtefactView> artefacts(@PathParam("id") String id, @QueryParam("run") Integer run) {
        UUID job = Inputs.uuid(id);
        return transact(sql -> {
            Job row = visible(JobRows.find(sql, job), job);
            int number = run == null ? row.attempt() : run;
            return AttemptRows.artefacts(sql, job, number).stream()
                    .map(file -> new ArtefactView(number, file.path(), file.size()))
                    .toList();
        });
    }

    @GET
    @Path(ID + "/artefact")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary =
                    "Bytes of a file that a run left, up to 1 MiB from an offset on; Outpost-Next says where to go on")
    public Response artefact(
            @PathParam("id") String id,
            @QueryParam("run") Integer run,
            @QueryParam("path") @DefaultValue("") String path,
            @QueryParam("from") @DefaultValue("0") long from) {
        UUID job = Inputs.uuid(id);
        ContentRows.Slice slice = transact(sql -> {
            Job row = visible(JobRows.find(sql, job), job);
            return AttemptRows.artefact(sql, job, run == null ? row.attempt() : run, path)
                    .map(file -> ContentRows.read(sql, file.content(), Math.max(0, from), SLICE))
                    .orElseThrow(() -> Problem.notFound("artefact", path));
        });
        return Response.ok(slice.bytes()).header("Outpost-Next", slice.next()).build();
    }

    private Job visible(Optional<Job> row, UUID id) {
        return row.filter(job -> job.spec().organisation().equals(caller.organisation()))
                .filter(job -> caller.sees(job.spec().project()))
                .orElseThrow(() -> Problem.notFound("job", id));
    }
}
