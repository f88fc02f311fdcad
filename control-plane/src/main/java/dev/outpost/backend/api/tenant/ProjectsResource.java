package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.ETags;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Paging;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.ProjectRequest;
import dev.outpost.rest.tenant.ProjectView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The projects of the organisation, which request machines and pay for them. */
@Path("/v1/projects")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "projects")
public class ProjectsResource {

    private final Caller caller;
    private final AuditedTransaction audited;

    ProjectsResource(Caller caller, AuditedTransaction audited) {
        this.caller = caller;
        this.audited = audited;
    }

    private static ProjectView view(TenantRows.Project row) {
        return new ProjectView(
                row.name(), row.priority(), row.created(), row.archived().orElse(null), row.version());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Projects, by name")
    public Page<ProjectView> list(@QueryParam("cursor") Optional<String> cursor, @QueryParam("limit") Integer limit) {
        String after = Paging.after(cursor);
        return audited.page(
                limit,
                (sql, size) -> TenantRows.projects(sql, caller.organisation(), caller.project(), after, size),
                ProjectsResource::view,
                TenantRows.Project::name);
    }

    @GET
    @Path("{name}")
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One project")
    public Response get(@PathParam("name") String name) {
        return tagged(audited.read(sql -> find(sql, name)));
    }

    @PUT
    @Path("{name}")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary =
                    "Makes a project, or changes it; If-Match says which version, If-None-Match: * that there is none")
    public Response put(
            @PathParam("name") String name,
            ProjectRequest request,
            @HeaderParam("If-Match") String ifMatch,
            @HeaderParam("If-None-Match") String ifNoneMatch) {
        ResourceNames.slug("name", name);
        if (caller.project().isPresent()) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN, "the key is for one project; projects are changed by the organisation's");
        }
        ProjectRequest body = Inputs.required(request);
        int priority = priority(body);
        Optional<Long> version = ETags.expected(ifMatch, ifNoneMatch);
        return tagged(audited.act(
                "project.set",
                name,
                "priority " + priority + (Boolean.TRUE.equals(body.archived()) ? ", archived" : ""),
                sql -> put(sql, name, priority, Boolean.TRUE.equals(body.archived()), version)));
    }

    private static int priority(ProjectRequest body) {
        int priority = body.priority() == null ? 0 : body.priority();
        if (priority < -Bounds.PRIORITY || priority > Bounds.PRIORITY) {
            throw Problem.invalid(
                    "priority: expected -" + Bounds.PRIORITY + " to " + Bounds.PRIORITY + ", got " + priority);
        }
        return priority;
    }

    private TenantRows.Project put(Sql sql, String name, int priority, boolean archived, Optional<Long> version) {
        boolean isNew = TenantRows.addProject(sql, caller.organisation(), name, priority);
        if (isNew && TenantRows.countProjects(sql, caller.organisation()) > Bounds.PROJECTS) {
            throw Problem.of(Problem.Code.QUOTA_EXCEEDED, "an organisation has up to " + Bounds.PROJECTS + " projects");
        }
        TenantRows.Project there = find(sql, name);
        ETags.require(version, isNew ? 0 : there.version(), "project", name);
        Optional<Instant> since = archived ? there.archived().or(() -> Optional.of(sql.now())) : Optional.empty();
        if (isNew && since.isEmpty()) {
            return there;
        }
        TenantRows.Project next =
                new TenantRows.Project(there.organisation(), name, priority, there.created(), since, there.version());
        if (!TenantRows.updateProject(sql, next)) {
            throw Problem.changedSince("project", name);
        }
        return find(sql, name);
    }

    private TenantRows.Project find(Sql sql, String name) {
        return TenantRows.project(sql, caller.organisation(), name)
                .filter(row -> caller.sees(row.name()))
                .orElseThrow(() -> Problem.notFound("project", name));
    }

    private static Response tagged(TenantRows.Project row) {
        return ETags.tagged(Response.ok(), view(row), row.version());
    }
}
