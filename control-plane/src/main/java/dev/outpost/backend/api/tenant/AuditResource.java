package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.ActView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The audit log: administrative changes and their authors. */
@Path("/v1/audit")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "audit")
public class AuditResource extends ApiResource {
    private static ActView view(AuditRows.Stored row) {
        return new ActView(row.at(), row.actor(), row.action(), row.target(), row.detail());
    }

    @GET
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Administrative acts, newest first")
    public Page<ActView> list(@BeanParam PageRequest request) {
        if (caller.project().isPresent()) {
            throw Problem.of(Problem.Code.FORBIDDEN, "the key is for one project; the audit is the organisation's");
        }
        long before = request.number().orElse(Long.MAX_VALUE);
        return page(
                request,
                sql -> AuditRows.page(sql, caller.organisation(), before, request.rows()),
                AuditResource::view,
                row -> Long.toString(row.sequence()));
    }
}
