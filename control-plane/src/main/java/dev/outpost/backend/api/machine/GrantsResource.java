package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.ReportRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.rest.Page;
import dev.outpost.rest.machine.GrantRequest;
import dev.outpost.rest.machine.GrantRole;
import dev.outpost.rest.machine.GrantView;
import dev.outpost.rest.machine.GrantView.UseView;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The grants of a machine, each for a token that opens it. A client draws its token and sends the hash. */
@Path("/v1/machines/{id: [^/:]+}/grants")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class GrantsResource extends ApiResource {
    private final MachineOperations service;

    GrantsResource(MachineOperations service) {
        this.service = service;
    }

    private static UseView view(ReportRows.Stored stored) {
        ReportRows.Report report = stored.report();
        return new UseView(
                report.sessions(),
                report.lastSeen().orElse(null),
                report.liveBytes(),
                report.engineNanos(),
                stored.at());
    }

    private static GrantView view(GrantRows.Stored stored, Map<String, UseView> uses) {
        GrantTerms terms = stored.terms();
        return new GrantView(
                stored.sha256(),
                stored.owner(),
                GrantRole.of(terms.role()),
                stored.created(),
                terms.expires().orElse(null),
                terms.memoryBytes().isPresent() ? terms.memoryBytes().getAsLong() : null,
                terms.weight(),
                terms.sessions().isPresent() ? terms.sessions().getAsInt() : null,
                stored.revoked().orElse(null),
                stored.told(),
                stored.version(),
                uses.get(stored.sha256()));
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The grants of a machine, oldest first, and how they are used")
    public Page<GrantView> list(@PathParam("id") String id, @BeanParam PageRequest request) {
        GrantRows.Position after = position(request).orElse(GrantRows.Position.START);
        Machine machine = service.find(caller, Inputs.uuid(id));
        return transact(sql -> {
            Map<String, UseView> uses = uses(sql, machine);
            return request.of(
                    GrantRows.page(sql, machine.id(), after, request.rows()),
                    stored -> view(stored, uses),
                    stored -> stored.created() + " " + stored.sha256());
        });
    }

    private static Optional<GrantRows.Position> position(PageRequest request) {
        return request.position(
                2, parts -> new GrantRows.Position(Inputs.time("cursor", Instant.parse(parts[0])), parts[1]));
    }

    private static Map<String, UseView> uses(Sql sql, Machine machine) {
        return ReportRows.of(sql, machine.id()).stream()
                .collect(Collectors.toMap(stored -> stored.report().sha256(), GrantsResource::view));
    }

    @POST
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Lets another token open a machine; repeating it changes nothing")
    public Response add(@PathParam("id") String id, GrantRequest request) {
        GrantRequest body = Inputs.required(request);
        String hash = MachineInputs.checkedHash(body.tokenSha256());
        String owner = ResourceNames.text("owner", body.owner() == null ? "key " + caller.keyId() : body.owner());
        return accepted(service.grant(caller, Inputs.uuid(id), hash, owner, body.terms()));
    }

    @PUT
    @Path("{hash}")
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary =
                    "Changes what the holder of a token may do, also in sessions that there are; what is absent is unbounded",
            description = "If-Match says which version is changed.")
    public Response change(
            @PathParam("id") String id,
            @PathParam("hash") String hash,
            GrantRequest request,
            @HeaderParam("If-Match") String ifMatch) {
        GrantRequest body = Inputs.required(request);
        String checked = MachineInputs.checkedHash(hash);
        if (body.tokenSha256() != null && !body.tokenSha256().equals(checked)) {
            throw Problem.invalid("tokenSha256: expected that of the path, or none, got another one");
        }
        Optional<Long> version = Preconditions.version(ifMatch);
        return accepted(service.regrant(caller, Inputs.uuid(id), checked, body.terms(), version));
    }

    private static Response accepted(GrantRows.Stored stored) {
        return tagged(Response.accepted(), view(stored, Map.of()), stored.version());
    }

    @DELETE
    @Path("{hash}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Takes a grant back: its token opens nothing any more, and its sessions end")
    public Response revoke(@PathParam("id") String id, @PathParam("hash") String hash) {
        service.revoke(caller, Inputs.uuid(id), MachineInputs.checkedHash(hash));
        return Response.noContent().build();
    }
}
