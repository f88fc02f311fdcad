package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.FirstToken;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.DeploymentRows.Revision;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.deployment.DeploymentRequest;
import dev.outpost.rest.deployment.DeploymentView;
import dev.outpost.rest.deployment.DeploymentView.ReplicaView;
import dev.outpost.rest.deployment.DeploymentView.RevisionView;
import dev.outpost.rest.deployment.DeploymentView.UseView;
import dev.outpost.rest.deployment.Rollback;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Deployments: named endpoints that serve a model, with as many replicas as the load needs. */
@Path("/v1/deployments")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "deployments")
public class DeploymentsResource extends ApiResource {
    private static final String NAME = "{name: [^/:]+}";

    private final GpuCatalogue catalogue;
    private final Wakeups wakeups;

    DeploymentsResource(GpuCatalogue catalogue, Wakeups wakeups) {
        this.catalogue = catalogue;
        this.wakeups = wakeups;
    }

    /** Returns the view of a deployment for lists. */
    private static DeploymentView view(Deployment row) {
        return view(row, Optional.empty(), null, null);
    }

    private static DeploymentView view(
            Deployment row, Optional<FirstToken> first, List<RevisionView> revisions, List<ReplicaView> replicas) {
        return new DeploymentView(
                row.name(),
                row.version(),
                row.project(),
                row.scale().min(),
                row.scale().max(),
                row.scale().target(),
                row.scale().idle(),
                row.revision(),
                row.proven().orElse(null),
                row.wanted(),
                row.text(),
                first.map(FirstToken::took).orElse(null),
                first.map(FirstToken::told).orElse(null),
                revisions,
                replicas);
    }

    private static RevisionView view(Revision stored) {
        return new RevisionView(
                stored.number(),
                stored.model(),
                stored.gpu(),
                stored.dtype().orElse(null),
                stored.created(),
                stored.createdBy(),
                stored.failure().orElse(null));
    }

    private static ReplicaView view(Replica replica) {
        return new ReplicaView(
                replica.machine(),
                replica.revision(),
                replica.phase(),
                replica.machineText(),
                replica.drainingSince().orElse(null),
                replica.uses().stream().map(DeploymentsResource::view).toList());
    }

    private static UseView view(Replica.Use use) {
        return new UseView(use.gateway(), use.state(), use.requests(), use.cacheUse(), use.text(), use.reported());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Deployments, by name")
    public Page<DeploymentView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        Optional<String> only = caller.projectFilter(project);
        return page(
                request,
                sql -> DeploymentRows.page(sql, caller.organisation(), only, request.name(), request.rows()),
                DeploymentsResource::view,
                Deployment::name);
    }

    @GET
    @Path(NAME)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One deployment, with its revisions and replicas")
    public Response get(@PathParam("name") String name) {
        Key key = key(name);
        return transact(sql -> tagged(Response.ok(), sql, visible(DeploymentRows.find(sql, key), name)));
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary =
                    "Makes a deployment, or changes it; another model, GPU or dtype is rolled out as another revision",
            description = "If-Match says which version is changed, If-None-Match: * that there is none yet.")
    public Response put(@PathParam("name") String name, DeploymentRequest request, @BeanParam Preconditions match) {
        Wish wish = wish(ResourceNames.slug("name", name), Inputs.required(request));
        Response response = act("deployment.set", name, "model " + wish.model() + " on " + wish.gpu(), sql -> {
            Inputs.requireGpu(sql, wish.gpu());
            Optional<Deployment> there = DeploymentRows.lock(sql, key(name));
            return there.isPresent() ? change(sql, there.get(), wish, match) : create(sql, wish, match);
        });
        wakeups.deployments();
        return response;
    }

    /** A checked request for a deployment. */
    private record Wish(
            String name,
            String project,
            Optional<String> namedProject,
            String model,
            String gpu,
            Optional<String> dtype,
            dev.outpost.backend.model.deployment.Scale scale) {}

    private Wish wish(String name, DeploymentRequest body) {
        return new Wish(
                name,
                caller.projectOr(Optional.ofNullable(body.project())),
                Optional.ofNullable(body.project()),
                DeploymentInputs.model(body.model()),
                catalogue.find(body.gpu() == null ? "any" : body.gpu()).name(),
                DeploymentInputs.type(body.dtype()),
                DeploymentInputs.scale(body));
    }

    private Response create(Sql sql, Wish wish, Preconditions match) {
        requireMatch(Optional.empty(), wish.name(), match);
        TenantRows.Project project = requireProject(sql, wish.project());
        if (project.archived().isPresent()) {
            throw Problem.of(
                    Problem.Code.CONFLICT, "project " + project.name() + ": it is archived, and takes no deployments");
        }
        Instant now = sql.now();
        Deployment row = Deployment.created(caller.organisation(), wish.project(), wish.name(), wish.scale(), now);
        // Nothing is written if another request with the same name was committed first.
        requireWritten(DeploymentRows.insert(sql, row, now), "deployment", wish.name());
        if (DeploymentRows.count(sql, caller.organisation()) > Bounds.DEPLOYMENTS) {
            throw Problem.of(
                    Problem.Code.QUOTA_EXCEEDED, "an organisation has up to " + Bounds.DEPLOYMENTS + " deployments");
        }
        DeploymentRows.addRevision(sql, key(wish.name()), wish.model(), wish.gpu(), wish.dtype(), caller.keyId());
        return tagged(Response.status(201), sql, row);
    }

    private Response change(Sql sql, Deployment there, Wish wish, Preconditions match) {
        requireMatch(Optional.of(there), wish.name(), match);
        Deployment row = there;
        requireKept(row);
        if (wish.namedProject().filter(named -> !named.equals(row.project())).isPresent()) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "deployment " + row.name() + ": it is of project " + row.project()
                            + ", which is not changed; make another one");
        }
        Revision newest =
                DeploymentRows.revision(sql, key(row.name()), row.revision()).orElseThrow();
        boolean isSame = newest.isSame(wish.model(), wish.gpu(), wish.dtype());
        if (isSame && row.scale().equals(wish.scale())) {
            return tagged(Response.ok(), sql, row);
        }
        Optional<Integer> next = isSame
                ? Optional.empty()
                : Optional.of(DeploymentRows.addRevision(
                        sql, key(row.name()), wish.model(), wish.gpu(), wish.dtype(), caller.keyId()));
        Deployment changed = row.changed(wish.scale(), next);
        DeploymentRows.update(sql, changed, sql.now());
        return tagged(Response.ok(), sql, changed);
    }

    @POST
    @Path(NAME + ":rollback")
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Rolls an earlier revision out again; repeating it changes nothing")
    public Response rollback(
            @PathParam("name") String name, Rollback request, @HeaderParam("If-Match") String ifMatch) {
        Rollback body = Inputs.required(request);
        Optional<Long> version = Preconditions.version(ifMatch);
        Response response = act("deployment.rollback", name, "to revision " + body.revision(), sql -> {
            Deployment row = visible(DeploymentRows.lock(sql, key(name)), name);
            Preconditions.require(version, row.version(), "deployment", row.name());
            requireKept(row);
            int to = target(sql, row, body);
            if (to == row.revision()) {
                return tagged(Response.ok(), sql, row);
            }
            Deployment changed = row.changed(row.scale(), Optional.of(to));
            DeploymentRows.update(sql, changed, sql.now());
            return tagged(Response.ok(), sql, changed);
        });
        wakeups.deployments();
        return response;
    }

    private int target(Sql sql, Deployment row, Rollback body) {
        if (body.revision() != null) {
            return DeploymentRows.revision(sql, key(row.name()), body.revision())
                    .map(Revision::number)
                    .orElseThrow(() -> Problem.notFound("revision", body.revision()));
        }
        return DeploymentRows.revisions(sql, key(row.name())).stream()
                .filter(revision ->
                        revision.number() < row.revision() && revision.failure().isEmpty())
                .reduce((one, later) -> later)
                .map(Revision::number)
                .orElseThrow(() -> Problem.of(
                        Problem.Code.CONFLICT,
                        "deployment " + row.name() + ": there is no revision before " + row.revision()
                                + " that did not fail; name one"));
    }

    @DELETE
    @Path(NAME)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Removes a deployment once the requests under way are answered; repeating it changes nothing",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        act("deployment.remove", name, "", sql -> {
            Deployment row = visible(DeploymentRows.lock(sql, key(name)), name);
            if (!row.isRemoved()) {
                match.require(row.version(), "deployment", row.name());
                DeploymentRows.update(sql, row.removed(), sql.now());
            }
            return null;
        });
        wakeups.deployments();
        return Response.accepted().build();
    }

    // ---- parts

    private Key key(String name) {
        return new Key(caller.organisation(), name);
    }

    /** Fails if no deployment with this name exists, or if the caller may not see it. */
    void requireVisible(String name) {
        transact(sql -> visible(DeploymentRows.find(sql, key(name)), name));
    }

    /** Refuses a change that expects another version, or the deployment of another project's member. */
    void requireMatch(Optional<Deployment> there, String name, Preconditions match) {
        if (there.isPresent()) {
            match.require(visible(there, name).version(), "deployment", name);
        } else if (match.version().filter(known -> known > 0).isPresent()) {
            throw Problem.notFound("deployment", name);
        }
    }

    private Deployment visible(Optional<Deployment> row, String name) {
        return row.filter(found -> caller.sees(found.project()))
                .orElseThrow(() -> Problem.notFound("deployment", name));
    }

    private static void requireKept(Deployment row) {
        if (row.isRemoved()) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "deployment " + row.name() + ": it is being removed; try again when that is done");
        }
    }

    private Response tagged(Response.ResponseBuilder response, Sql sql, Deployment row) {
        Key key = key(row.name());
        return tagged(
                response,
                view(
                        row,
                        DeploymentRows.firstToken(sql, key),
                        DeploymentRows.revisions(sql, key).stream()
                                .map(DeploymentsResource::view)
                                .toList(),
                        ReplicaRows.of(sql, key).stream()
                                .map(DeploymentsResource::view)
                                .toList()),
                row.version());
    }
}
