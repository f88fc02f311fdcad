package dev.outpost.backend.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.KeyRows.Scope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Whose tokens open a machine. A client draws its token and sends the hash. */
@Path("/v1/machines/{id: [^/:]+}/grants")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class GrantsResource {
    private final Caller caller;
    private final MachineService service;
    private final Database database;

    GrantsResource(Caller caller, MachineService service, Database database) {
        this.caller = caller;
        this.service = service;
        this.database = database;
    }

    /** What a client asks for: its token's hash, and until when it opens the machine. */
    public record GrantRequest(String tokenSha256, String owner, Instant expires) {}

    /** A grant as the API shows it; {@code told} once the machine knows of it, or of its end. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GrantView(
            String tokenSha256, String owner, Instant created, Instant expires, Instant revoked, boolean told) {
        static GrantView of(GrantRows.Stored stored) {
            return new GrantView(
                    stored.sha256(),
                    stored.owner(),
                    stored.created(),
                    stored.expires().orElse(null),
                    stored.revoked().orElse(null),
                    stored.told());
        }
    }

    @GET
    @Needs(Scope.READ)
    @Operation(summary = "The grants of a machine")
    public Page<GrantView> list(@PathParam("id") String id) {
        Machine machine = service.find(caller, MachinesResource.uuid(id));
        return Page.all(database.transact(sql -> GrantRows.of(sql, machine.id())).stream()
                .map(GrantView::of)
                .toList());
    }

    @POST
    @Needs(Scope.MACHINES)
    @Operation(summary = "Lets another token open a machine; repeating it changes nothing")
    public Response add(@PathParam("id") String id, GrantRequest request) {
        GrantRequest body = MachinesResource.required(request);
        String hash = MachineRequest.checkedHash(body.tokenSha256());
        String owner = Names.text("owner", body.owner() == null ? "key " + caller.keyId() : body.owner());
        service.grant(caller, MachinesResource.uuid(id), hash, owner, Optional.ofNullable(body.expires()));
        return Response.accepted(java.util.Map.of("tokenSha256", hash)).build();
    }

    @DELETE
    @Path("{hash}")
    @Consumes(MediaType.WILDCARD)
    @Needs(Scope.MACHINES)
    @Operation(summary = "Takes a grant back: its token opens no new connection")
    public Response revoke(@PathParam("id") String id, @PathParam("hash") String hash) {
        service.revoke(caller, MachinesResource.uuid(id), MachineRequest.checkedHash(hash));
        return Response.noContent().build();
    }
}
