package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.MachineManager;
import dev.outpost.backend.model.Machine;
import dev.outpost.rest.machine.InstructionsView;
import dev.outpost.rest.machine.InstructionsView.SessionView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.SortedMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The instructions that a machine's sessions have run lately. Each call asks the machine, and nothing is stored. */
@Path("/v1/machines/{id: [^/:]+}/instructions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class InstructionsResource extends ApiResource {
    private static final int MAX = 500;

    private final MachineOperations service;
    private final MachineManager manager;

    InstructionsResource(MachineOperations service, MachineManager manager) {
        this.service = service;
        this.manager = manager;
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The latest instructions of each open session: ops and shapes as text, never values")
    public InstructionsView get(@PathParam("id") String id, @QueryParam("limit") @DefaultValue("100") int limit) {
        if (limit < 1 || limit > MAX) {
            throw Problem.invalid("limit: expected 1 to " + MAX + " instructions of each session, got " + limit);
        }
        Machine machine = service.find(caller, Inputs.uuid(id));
        SortedMap<Long, List<String>> told = manager.instructions(machine, limit)
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNAVAILABLE,
                        "machine " + id
                                + ": it does not answer the backend, so its instructions cannot be read; ask again"
                                + " once it is ready"));
        return new InstructionsView(
                machine.id(),
                told.entrySet().stream()
                        .map(session -> new SessionView(session.getKey(), session.getValue()))
                        .toList());
    }
}
