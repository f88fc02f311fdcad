package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ProgramRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.Page;
import dev.outpost.rest.deployment.ProgramRequest;
import dev.outpost.rest.deployment.ProgramView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
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

/** Published programs. A deployment of the same name serves each program, and gateways take its calls. */
@Path("/v1/programs")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "programs")
public class ProgramsResource extends ApiResource {
    private static final String NAME = "{name: [^/:]+}";
    private static final int SLICE = 1 << 20;

    private final DeploymentsResource deployments;

    ProgramsResource(DeploymentsResource deployments) {
        this.deployments = deployments;
    }

    private static ProgramView view(ProgramRows.Served row) {
        return new ProgramView(
                row.name(),
                row.project(),
                row.program().sha256(),
                row.gpu(),
                row.program().inputs(),
                row.program().outputs(),
                row.program().maxRows(),
                row.text());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Published programs, by name")
    public Page<ProgramView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        Optional<String> only = caller.projectFilter(project);
        return page(
                request,
                sql -> ProgramRows.page(sql, caller.organisation(), only, request.name(), request.rows()),
                ProgramsResource::view,
                ProgramRows.Served::name);
    }

    @GET
    @Path(NAME)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One published program")
    public ProgramView get(@PathParam("name") String name) {
        return view(find(name));
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Publishes a program whose file was sent; another file or GPU is rolled out as another revision",
            description =
                    "Its deployment has the same name, and can be changed, rolled back and looked at as any other. If-Match says which"
                            + " version of the deployment is changed, If-None-Match: * that there is none yet.")
    public ProgramView put(@PathParam("name") String name, ProgramRequest request, @BeanParam Preconditions match) {
        ProgramRequest body = Inputs.required(request);
        ProgramRows.Stored program = ProgramRequestInputs.checked(body);
        ResourceNames.slug("name", name);
        Optional<Deployment> before = act("program.publish", name, "file " + program.sha256(), sql -> {
            FileRows.find(sql, caller.organisation(), program.sha256())
                    .filter(FileRows.Stored::isComplete)
                    .orElseThrow(() -> Problem.notFound("file", program.sha256()));
            Optional<Deployment> there = before(sql, name);
            deployments.requireMatch(there, name, match);
            ProgramRows.put(sql, caller.organisation(), program);
            return there;
        });
        deployments.put(name, ProgramRequestInputs.deployment(body, before.map(Deployment::scale)), match);
        return view(find(name));
    }

    /** Returns the deployment with this name. Fails if it does not serve a program. */
    private Optional<Deployment> before(Sql sql, String name) {
        Key key = new Key(caller.organisation(), name);
        Optional<Deployment> there = DeploymentRows.find(sql, key);
        there.flatMap(row -> DeploymentRows.revision(sql, key, row.revision()))
                .filter(revision -> !revision.model().startsWith(ProgramRows.SCHEME))
                .ifPresent(model -> {
                    throw Problem.of(
                            Problem.Code.CONFLICT,
                            "program " + name + ": a deployment of this name serves a model; choose another name");
                });
        return there;
    }

    @DELETE
    @Path(NAME)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Removes a published program once the calls under way are answered",
            description = "If-Match says which version of its deployment is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        find(name);
        return deployments.remove(name, match);
    }

    @GET
    @Path(NAME + "/file")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary =
                    "Bytes of the file of a revision, up to 1 MiB from an offset on; Outpost-Next says where to go on")
    public Response file(
            @PathParam("name") String name,
            @QueryParam("sha256") @DefaultValue("") String sha256,
            @QueryParam("from") @DefaultValue("0") long from) {
        String hash = Inputs.programHash(sha256);
        deployments.requireVisible(name);
        ContentRows.Slice slice = transact(sql -> ProgramRows.file(sql, caller.organisation(), name, hash)
                .map(file -> ContentRows.read(sql, file.content(), Math.max(0, from), SLICE))
                .orElseThrow(() -> Problem.notFound("file", hash)));
        return Response.ok(slice.bytes())
                .header("Outpost-Next", slice.next())
                .header("Outpost-Ended", slice.next() >= slice.size())
                .build();
    }

    private ProgramRows.Served find(String name) {
        return transact(sql -> ProgramRows.find(sql, caller.organisation(), name))
                .filter(row -> caller.sees(row.project()))
                .orElseThrow(() -> Problem.notFound("program", name));
    }
}
