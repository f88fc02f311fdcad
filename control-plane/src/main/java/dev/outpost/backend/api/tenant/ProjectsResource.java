package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.ProjectRequest;
import dev.outpost.rest.tenant.ProjectView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
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
public class ProjectsResource extends ApiResource {

    private static ProjectView view(TenantRows.Project row) {
        return new ProjectView(
                row.name(), row.priority(), row.created(), row.archived().orElse(null), row.version());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Projects, by name")
    public Page<ProjectView> list(@BeanParam PageRequest request) {
        return page(
                request,
                sql -> TenantRows.projects(
                        sql, caller.organisation(), caller.project(), request.name(), request.rows()),
                ProjectsResource::view,
                TenantRows.Project::name);
    }

    @GET
    @Path("{name}")
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One project")
    public Response get(@PathParam("name") String name) {
        return tagged(transact(sql -> find(sql, name)));
    }

    @PUT
    @Path("{name}")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary =
                    "Makes a project, or changes it; If-Match says which version, If-None-Match: * that there is none")
    public Response put(@PathParam("name") String name, ProjectRequest request, @BeanParam Preconditions match) {
        ResourceNames.slug("name", name);
        requireWholeOrganisation();
        ProjectRequest body = Inputs.required(request);
        int priority = priority(body);
        return tagged(act(
                "project.set",
                name,
                "priority " + priority + (Boolean.TRUE.equals(body.archived()) ? ", archived" : ""),
                sql -> put(sql, name, priority, Boolean.TRUE.equals(body.archived()), match)));
    }

    private void requireWholeOrganisation() {
        if (caller.project().isPresent()) {
            throw Problem.of(
                    Problem.Code.FORBIDDEN, "the key is for one project; projects are changed by the organisation's");
        }
    }

    @DELETE
    @Path("{name}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Removes a project that was never used, with its members, keys and limits; archive another one",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        requireWholeOrganisation();
        if (name.equals(TenantRows.FIRST_PROJECT)) {
            throw Problem.of(
                    Problem.Code.CONFLICT, "project " + name + ": each organisation keeps it; archive it instead");
        }
        return remove("project.remove", name, "", sql -> {
            TenantRows.lockProject(sql, caller.organisation(), name);
            match.require(find(sql, name).version(), "project", name);
            KeyRows.ofProject(sql, caller.organisation(), name).forEach(key -> {
                if (key.isValid(sql.now())) {
                    KeysResource.requireNoMoreRights(caller, key, "remove");
                }
                AuditRows.add(
                        sql, caller.organisation(), caller.keyId(), "key.remove", key.id(), "with project " + name);
            });
            if (!TenantRows.removeProject(sql, caller.organisation(), name)) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "project " + name + ": machines, jobs, deployments, secrets, webhooks or bills name it,"
                                + " or a gateway has served its keys within 8 days; archive it instead");
            }
        });
    }

    private static int priority(ProjectRequest body) {
        int priority = body.priority() == null ? 0 : body.priority();
        if (priority < -Bounds.PRIORITY || priority > Bounds.PRIORITY) {
            throw Problem.invalid(
                    "priority: expected -" + Bounds.PRIORITY + " to " + Bounds.PRIORITY + ", got " + priority);
        }
        return priority;
    }

    private TenantRows.Project put(Sql sql, String name, int priority, boolean archived, Preconditions match) {
        boolean isNew = TenantRows.addProject(sql, caller.organisation(), name, priority);
        if (isNew && TenantRows.countProjects(sql, caller.organisation()) > Bounds.PROJECTS) {
            throw Problem.of(Problem.Code.QUOTA_EXCEEDED, "an organisation has up to " + Bounds.PROJECTS + " projects");
        }
        TenantRows.Project there = find(sql, name);
        match.require(isNew ? 0 : there.version(), "project", name);
        Optional<Instant> since = archived ? there.archived().or(() -> Optional.of(sql.now())) : Optional.empty();
        if (isNew && since.isEmpty()) {
            return there;
        }
        TenantRows.Project next =
                new TenantRows.Project(there.organisation(), name, priority, there.created(), since, there.version());
        requireWritten(TenantRows.updateProject(sql, next), "project", name);
        return find(sql, name);
    }

    private TenantRows.Project find(Sql sql, String name) {
        return TenantRows.project(sql, caller.organisation(), name)
                .filter(row -> caller.sees(row.name()))
                .orElseThrow(() -> Problem.notFound("project", name));
    }

    private static Response tagged(TenantRows.Project row) {
        return tagged(Response.ok(), view(row), row.version());
    }
}
