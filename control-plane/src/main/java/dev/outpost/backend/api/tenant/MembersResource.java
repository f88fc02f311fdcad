package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.ETags;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Paging;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.MemberRequest;
import dev.outpost.rest.tenant.MemberView;
import dev.outpost.rest.tenant.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The people of the organisation and of its projects, and their roles. A role bounds the keys that a person can have. */
@Path("/v1/members")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "members")
public class MembersResource {
    private final Caller caller;
    private final AuditedTransaction audited;

    MembersResource(Caller caller, AuditedTransaction audited) {
        this.caller = caller;
        this.audited = audited;
    }

    private static MemberView view(TenantRows.Member row) {
        return new MemberView(row.subject(), row.project().orElse(null), row.role(), row.created(), row.version());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Members of the organisation, and of its projects")
    public Page<MemberView> list(@QueryParam("cursor") Optional<String> cursor, @QueryParam("limit") Integer limit) {
        String[] after =
                cursor.map(at -> Paging.position(at, 2, parts -> parts)).orElse(new String[] {"", ""});
        return audited.page(
                limit,
                (sql, size) ->
                        TenantRows.members(sql, caller.organisation(), caller.project(), after[0], after[1], size),
                MembersResource::view,
                row -> row.project().orElse("") + " " + row.subject());
    }

    @PUT
    @Path("{subject}")
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Makes somebody a member, or changes the role; keys of the member may what the role allows",
            description = "If-Match says which version is changed, If-None-Match: * that there is none.")
    public Response put(
            @PathParam("subject") String subject,
            @QueryParam("project") Optional<String> project,
            MemberRequest request,
            @HeaderParam("If-Match") String ifMatch,
            @HeaderParam("If-None-Match") String ifNoneMatch) {
        ResourceNames.text("subject", subject);
        Role role = Inputs.required(request).role();
        if (role == null) {
            throw Problem.invalid("role: expected VIEWER, DEVELOPER or ADMIN, got nothing");
        }
        Optional<String> where = caller.projectFilter(project);
        Optional<Long> version = ETags.expected(ifMatch, ifNoneMatch);
        String detail = role + " of " + where.orElse("the organisation");
        TenantRows.Member member = audited.act("member.set", subject, detail, sql -> {
            where.ifPresent(name -> TenantRows.project(sql, caller.organisation(), name)
                    .orElseThrow(() -> Problem.notFound("project", name)));
            if (!TenantRows.setMember(sql, caller.organisation(), where, subject, role, version)) {
                throw Problem.changedSince("member", subject);
            }
            return TenantRows.member(sql, caller.organisation(), where, subject).orElseThrow();
        });
        return ETags.tagged(Response.ok(), view(member), member.version());
    }

    @DELETE
    @Path("{subject}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Removes a member, whose keys open nothing from then on")
    public Response remove(@PathParam("subject") String subject, @QueryParam("project") Optional<String> project) {
        Optional<String> where = caller.projectFilter(project);
        audited.act("member.remove", subject, "of " + where.orElse("the organisation"), sql -> {
            if (!TenantRows.removeMember(sql, caller.organisation(), where, subject)) {
                throw Problem.notFound("member", subject);
            }
            return null;
        });
        return Response.noContent().build();
    }
}
