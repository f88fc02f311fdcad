package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.FailureView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The rows that loops of the backend failed to process. */
@Path("/v1/failures")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "operations")
public class FailuresResource extends ApiResource {
    private static FailureView view(RowFailures.Failure failure) {
        return new FailureView(
                failure.loop(), failure.row(), failure.failures(), failure.text(), failure.since(), failure.retry());
    }

    @GET
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Rows that loops of the backend could not work on, why, and when they are tried again",
            description =
                    "The others go on meanwhile. An entry goes when its row succeeds, or a day after it was tried last.")
    public Page<FailureView> list(@BeanParam PageRequest request) {
        String[] after = request.position(2, parts -> parts).orElse(new String[] {"", ""});
        return page(
                request,
                sql -> RowFailures.page(sql, after[0], after[1], request.rows()),
                FailuresResource::view,
                row -> row.loop() + " " + row.row());
    }
}
