package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.rest.machine.Sharing;
import dev.outpost.rest.machine.Sharing.SharingMode;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.OptionalLong;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * The sharing of a machine. An exclusive machine reserves no memory for grants; in a shared machine each grant has a
 * part of the memory.
 */
@Path("/v1/machines/{id: [^/:]+}/sharing")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "grants")
public class SharingResource extends ApiResource {
    private final MachineOperations service;

    SharingResource(MachineOperations service) {
        this.service = service;
    }

    private static Sharing view(OptionalLong bytes) {
        return bytes.isPresent()
                ? new Sharing(SharingMode.SHARED, bytes.getAsLong())
                : new Sharing(SharingMode.EXCLUSIVE, null);
    }

    private static OptionalLong checked(Sharing request) {
        SharingMode mode = request.mode();
        Long memoryBytes = request.memoryBytes();
        boolean isShared = mode == SharingMode.SHARED;
        if (mode == null || isShared != (memoryBytes != null) || isShared && memoryBytes < 1) {
            throw Problem.invalid("mode, memoryBytes: expected EXCLUSIVE, or SHARED with 1 byte or more, got " + mode
                    + " and " + memoryBytes);
        }
        return isShared ? OptionalLong.of(memoryBytes) : OptionalLong.empty();
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Whether a machine is exclusive or shared")
    public Sharing get(@PathParam("id") String id) {
        return view(service.shared(caller, Inputs.uuid(id)));
    }

    @PUT
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Makes a machine shared, or exclusive again",
            description =
                    "Each grant of a shared machine names memoryBytes, and their sum fits. 409 where they do not.")
    public Sharing put(@PathParam("id") String id, Sharing request) {
        OptionalLong bytes = checked(Inputs.required(request));
        UUID machine = Inputs.uuid(id);
        service.share(caller, machine, bytes);
        return view(bytes);
    }
}
