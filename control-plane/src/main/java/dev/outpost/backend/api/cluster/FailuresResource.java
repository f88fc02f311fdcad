package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.Paging;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.FailureView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Rows that loops of the backend could not work on. */
@Path("/v1/failures")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "operations")
public class FailuresResource {
    private final AuditedTransaction audited;

    FailuresResource(AuditedTransaction audited) {
        this.audited = audited;
    }

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
    public Page<FailureView> list(@QueryParam("cursor") Optional<String> cursor, @QueryParam("limit") Integer limit) {
        String[] after =
                cursor.map(at -> Paging.position(at, 2, parts -> parts)).orElse(new String[] {"", ""});
        return audited.page(
                limit,
                (sql, size) -> RowFailures.page(sql, after[0], after[1], size),
                FailuresResource::view,
                row -> row.loop() + " " + row.row());
    }
}
