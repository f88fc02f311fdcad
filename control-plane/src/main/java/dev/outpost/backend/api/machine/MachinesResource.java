package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Idempotency;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.event.EventViews;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.MachineRows.Listed;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.machine.EventView;
import dev.outpost.rest.machine.Extension;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.machine.MachineView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Machines: the calls that request, read, extend and end them. */
@Path("/v1/machines")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class MachinesResource extends ApiResource {
    private static final String ID = "{id: [^/:]+}";

    private final MachineOperations service;
    private final GpuCatalogue catalogue;
    private final Costs costs;
    private final Endpoints endpoints;
    private final Idempotency idempotency;

    MachinesResource(
            MachineOperations service,
            GpuCatalogue catalogue,
            Costs costs,
            Endpoints endpoints,
            Idempotency idempotency) {
        this.service = service;
        this.catalogue = catalogue;
        this.costs = costs;
        this.endpoints = endpoints;
        this.idempotency = idempotency;
    }

    @PUT
    @Path(ID)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Asks for a machine, by an id that the client draws; repeating it changes nothing")
    public Response put(@PathParam("id") String id, MachineRequest request) {
        MachineRequest body = Inputs.required(request);
        MachineOperations.Put put = service.put(
                caller,
                Inputs.uuid(id),
                MachineInputs.checked(body, caller, catalogue),
                Optional.ofNullable(body.tokenSha256()).map(MachineInputs::checkedHash),
                MachineInputs.secretNames(body.secrets()));
        return tagged(Response.status(put.isNew() ? 201 : 200), put.machine());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "Machines, newest first",
            description = "With ?failed=true also the newest 50 that failed within a day, with ?ended=true all that are"
                    + " not forgotten.")
    public Page<MachineView> list(
            @QueryParam("project") Optional<String> project,
            @QueryParam("ended") @DefaultValue("false") boolean ended,
            @QueryParam("failed") @DefaultValue("false") boolean failed,
            @BeanParam PageRequest request) {
        Listed listed = ended ? Listed.ALL : failed ? Listed.LIVE_AND_FAILED : Listed.LIVE;
        Optional<MachineRows.Position> after = request.created();
        return transact(sql -> {
            List<Machine> rows = MachineRows.page(
                    sql, caller.organisation(), caller.projectFilter(project), listed, after, request.rows());
            Costs.OfMachines nanos = costs.of(sql, rows);
            Map<String, String> relays = Endpoints.relays(sql);
            return request.of(
                    rows,
                    row -> MachineViews.of(row, endpoints.of(row, relays), nanos.of(row)),
                    row -> row.created() + " " + row.id());
        });
    }

    @GET
    @Path(ID)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "One machine; with ?after=VERSION&wait=SECONDS when it is of a later version")
    public Response get(
            @PathParam("id") String id,
            @QueryParam("after") @DefaultValue("0") long after,
            @QueryParam("wait") @DefaultValue("0") int wait,
            @HeaderParam("If-None-Match") String known) {
        UUID machine = Inputs.uuid(id);
        Machine row = service.await(caller, machine, after, Duration.ofSeconds(Math.clamp(wait, 0, 30)));
        if (known != null && known.equals(Preconditions.tag(row.version()))) {
            return Response.notModified(Preconditions.tag(row.version()).replace("\"", ""))
                    .build();
        }
        return tagged(Response.ok(), row);
    }

    @POST
    @Path(ID + ":extend")
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Lets a machine live longer than was agreed, by a stated time",
            description = "With an Idempotency-Key it does so once, however often it is sent.")
    public Response extend(
            @PathParam("id") String id, Extension extension, @HeaderParam("Idempotency-Key") String once) {
        Duration by = MachineInputs.time("by", Inputs.required(extension).by())
                .orElseThrow(() -> Problem.invalid("by: expected a time such as PT30M, got nothing"));
        UUID machine = Inputs.uuid(id);
        return tagged(
                Response.ok(),
                service.extend(
                        caller,
                        machine,
                        by,
                        sql -> idempotency.isRecordedBefore(sql, once, List.of("extend", machine, by))));
    }

    @POST
    @Path(ID + ":end")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Ends a machine; repeating it changes nothing")
    public Response end(@PathParam("id") String id) {
        return tagged(Response.accepted(), service.end(caller, Inputs.uuid(id)));
    }

    @GET
    @Path(ID + "/events")
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "What happened to a machine, oldest first")
    public Page<EventView> events(@PathParam("id") String id, @BeanParam PageRequest request) {
        Machine machine = service.find(caller, Inputs.uuid(id));
        long after = request.number().orElse(0L);
        List<EventRows.Told> rows = transact(sql -> EventRows.ofMachine(sql, machine.id(), after, request.rows()));
        return request.of(
                rows, EventViews::of, row -> Long.toString(row.cursor().sequence()));
    }

    private Response tagged(Response.ResponseBuilder response, Machine row) {
        MachineView view = transact(sql -> MachineViews.of(
                row,
                endpoints.of(row, Endpoints.relays(sql)),
                costs.of(sql, List.of(row)).of(row)));
        return tagged(response, view, row.version());
    }
}
