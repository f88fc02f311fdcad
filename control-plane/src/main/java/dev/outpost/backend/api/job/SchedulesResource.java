package dev.outpost.backend.api.job;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.job.Cron;
import dev.outpost.backend.model.job.JobSchedule;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.store.job.ScheduleRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.job.Missed;
import dev.outpost.rest.job.ScheduleRequest;
import dev.outpost.rest.job.ScheduleView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Schedules, which make jobs at given times. */
@Path("/v1/schedules")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "jobs")
public class SchedulesResource extends ApiResource {
    private static final String NAME = "{name: [^/:]+}";

    private final GpuCatalogue catalogue;
    private final RunnerKeys runners;
    private final Wakeups wakeups;

    SchedulesResource(GpuCatalogue catalogue, RunnerKeys runners, Wakeups wakeups) {
        this.catalogue = catalogue;
        this.runners = runners;
        this.wakeups = wakeups;
    }

    private ScheduleView view(JobSchedule row) {
        return new ScheduleView(
                row.name(),
                row.version(),
                row.spec().project(),
                row.cron().text(),
                row.cron().zone(),
                row.missed(),
                row.allowsOverlap(),
                row.isPaused(),
                row.isPaused() ? null : row.next().orElse(null),
                row.lastJob().orElse(null),
                row.text(),
                row.spec().gpu(),
                row.spec().program(),
                row.spec().programName(),
                row.spec().arguments(),
                caller.may(KeyScope.MACHINES) ? row.spec().environment() : null,
                row.spec().secrets(),
                row.spec().retries(),
                row.spec().timeout());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Schedules, by name")
    public Page<ScheduleView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        Optional<String> only = caller.projectFilter(project);
        return page(
                request,
                sql -> ScheduleRows.page(sql, caller.organisation(), only, request.name(), request.rows()),
                this::view,
                JobSchedule::name);
    }

    @GET
    @Path(NAME)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One schedule")
    public Response get(@PathParam("name") String name) {
        return transact(sql ->
                tagged(Response.ok(), visible(ScheduleRows.find(sql, caller.organisation(), name), name)));
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Makes a schedule, or changes it; times that are over by then make no job",
            description = "If-Match says which version is changed, If-None-Match: * that there is none yet.")
    public Response put(@PathParam("name") String name, ScheduleRequest request, @BeanParam Preconditions match) {
        ScheduleRequest body = Inputs.required(request);
        ResourceNames.slug("name", name);
        JobSpec spec = named(JobInputs.checked(Inputs.required(body.job()), caller, catalogue), name);
        Cron cron = cron(body);
        JobsResource.requireRunners(runners);
        Response response = act("schedule.set", name, cron.toString(), sql -> {
            JobsResource.requireParts(sql, spec);
            Optional<JobSchedule> there = ScheduleRows.lock(sql, caller.organisation(), name);
            there.ifPresent(row -> visible(there, name));
            long known = there.map(JobSchedule::version).orElse(0L);
            match.require(known, "schedule", name);
            JobSchedule row = new JobSchedule(
                    name,
                    known + 1,
                    cron,
                    body.missed() == null ? Missed.SKIP : body.missed(),
                    Boolean.TRUE.equals(body.overlap()),
                    Boolean.TRUE.equals(body.paused()),
                    spec,
                    cron.after(sql.now()),
                    there.flatMap(JobSchedule::lastJob),
                    "it is on time");
            ScheduleRows.put(sql, row);
            return tagged(Response.status(known == 0 ? 201 : 200), row);
        });
        wakeups.jobs();
        return response;
    }

    /** Returns the spec with the schedule's name. */
    private static JobSpec named(JobSpec spec, String name) {
        return new JobSpec(
                spec.organisation(),
                spec.project(),
                spec.owner(),
                spec.keyId(),
                name,
                spec.gpu(),
                spec.program(),
                spec.programName(),
                spec.arguments(),
                spec.environment(),
                spec.secrets(),
                spec.retries(),
                spec.timeout());
    }

    private static Cron cron(ScheduleRequest body) {
        if (body.cron() == null) {
            throw Problem.invalid("cron: expected the five fields of Unix such as \"30 2 * * 1-5\", got nothing");
        }
        if (body.cron().length() > Bounds.CRON
                || body.zone() != null && body.zone().length() > Bounds.ZONE) {
            throw Problem.invalid("cron, zone: expected up to " + Bounds.CRON + " and " + Bounds.ZONE + " characters");
        }
        try {
            return new Cron(body.cron(), body.zone() == null ? "UTC" : body.zone());
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }

    @DELETE
    @Path(NAME)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Removes a schedule; jobs that it has made go on",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        return remove("schedule.remove", name, "", sql -> {
            JobSchedule row = visible(ScheduleRows.lock(sql, caller.organisation(), name), name);
            match.require(row.version(), "schedule", name);
            ScheduleRows.remove(sql, caller.organisation(), name);
        });
    }

    private JobSchedule visible(Optional<JobSchedule> row, String name) {
        return row.filter(found -> caller.sees(found.spec().project()))
                .orElseThrow(() -> Problem.notFound("schedule", name));
    }

    private Response tagged(Response.ResponseBuilder response, JobSchedule row) {
        return tagged(response, view(row), row.version());
    }
}
