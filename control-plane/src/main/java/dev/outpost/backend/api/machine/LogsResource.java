package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.LongAnswers;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.StillAllowed;
import dev.outpost.backend.fleet.cluster.ClusterLogs;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The output of a machine's process. */
@Path("/v1/machines/{id: [^/:]+}/logs")
@RunOnVirtualThread
@Blocking
@Tag(name = "machines")
public class LogsResource extends ApiResource {
    private final MachineOperations service;
    private final ClusterLogs logs;
    private final LongAnswers answers;

    LogsResource(MachineOperations service, ClusterLogs logs, LongAnswers answers) {
        this.answers = answers;
        this.service = service;
        this.logs = logs;
    }

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The lines of a machine's log; with ?follow=true those to come as well, until it ends")
    public Multi<String> lines(
            @PathParam("id") String id, @QueryParam("follow") @DefaultValue("false") boolean follow) {
        Multi<String> lines = logs.of(service.find(caller, Inputs.uuid(id)), follow);
        Runnable close = answers.open(LongAnswers.Kind.LOGS, caller.organisation());
        return AllowedStream.of(lines, new StillAllowed(database, caller, KeyScope.READ), StillAllowed.FRESH)
                .map(line -> line + "\n")
                .onTermination()
                .invoke(close);
    }
}
