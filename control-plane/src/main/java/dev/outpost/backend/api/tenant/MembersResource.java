package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
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
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
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
public class MembersResource extends ApiResource {
    private static MemberView view(TenantRows.Member row) {
        return new MemberView(
                row.subject(),
                row.project().orElse(null),
                row.role(),
                row.created(),
                row.expires().orElse(null),
                row.version());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Members of the organisation, and of its projects")
    public Page<MemberView> list(@BeanParam PageRequest request) {
        String[] after = request.position(2, parts -> parts).orElse(new String[] {"", ""});
        return page(
                request,
                sql -> TenantRows.members(
                        sql, caller.organisation(), caller.project(), after[0], after[1], request.rows()),
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
            @BeanParam Preconditions match) {
        ResourceNames.text("subject", subject);
        Role role = Inputs.required(request).role();
        if (role == null) {
            throw Problem.invalid("role: expected VIEWER, DEVELOPER or ADMIN, got nothing");
        }
        Optional<String> where = caller.projectFilter(project);
        String detail = role + " of " + where.orElse("the organisation");
        TenantRows.Member member = act("member.set", subject, detail, sql -> {
            requireProject(sql, where);
            requireWritten(
                    TenantRows.setMember(sql, caller.organisation(), where, subject, role, match.version()),
                    "member",
                    subject);
            return TenantRows.member(sql, caller.organisation(), where, subject).orElseThrow();
        });
        return tagged(Response.ok(), view(member), member.version());
    }

    @DELETE
    @Path("{subject}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Removes a member, whose keys open nothing from then on",
            description = "If-Match says which version is removed.")
    public Response remove(
            @PathParam("subject") String subject,
            @QueryParam("project") Optional<String> project,
            @BeanParam Preconditions match) {
        Optional<String> where = caller.projectFilter(project);
        return remove("member.remove", subject, "of " + where.orElse("the organisation"), sql -> {
            requireRemoved(
                    TenantRows.removeMember(sql, caller.organisation(), where, subject, match.version()),
                    () -> TenantRows.member(sql, caller.organisation(), where, subject)
                            .isPresent(),
                    "member",
                    subject);
        });
    }
}
