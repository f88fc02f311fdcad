package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.backup.Backup;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The backup of the whole database, for operators. */
@Path("/v1/backup")
@RunOnVirtualThread
@Tag(name = "backup")
public class BackupResource extends ApiResource {
    @GET
    @Produces("application/zip")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "All rows as a zip, which ./outpost backend --restore reads",
            description = "One state of the database. Tokens and keys are in it as hashes.")
    public Response backup() {
        act("backup.made", "database", "all rows were read", sql -> true);
        StreamingOutput rows = out -> Backup.write(database, out);
        return Response.ok(rows)
                .header("Content-Disposition", "attachment; filename=\"outpost-backup.zip\"")
                .build();
    }
}
