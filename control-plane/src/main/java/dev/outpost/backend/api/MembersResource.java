package dev.outpost.backend.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.TenantRows;
import io.smallrye.common.annotation.RunOnVirtualThread;
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
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The people of the organisation and of its projects, and what they may do: what keys can be made for them. */
@Path("/v1/members")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "members")
public class MembersResource {
    private final Caller caller;
    private final Acts acts;

    MembersResource(Caller caller, Acts acts) {
        this.caller = caller;
        this.acts = acts;
    }

    /** What a member is set to. */
    public record MemberRequest(TenantRows.Role role) {}

    /** A member as the API shows it; without a project of the whole organisation. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MemberView(String subject, String project, TenantRows.Role role, Instant created) {
        static MemberView of(TenantRows.Member row) {
            return new MemberView(row.subject(), row.project().orElse(null), row.role(), row.created());
        }
    }

    @GET
    @Needs(Scope.READ)
    @Operation(summary = "Members of the organisation, and of its projects")
    public Page<MemberView> list() {
        return Page.all(acts.read(sql -> TenantRows.members(sql, caller.organisation())).stream()
                .filter(row -> caller.project().isEmpty() || caller.project().equals(row.project()))
                .map(MemberView::of)
                .toList());
    }

    @PUT
    @Path("{subject}")
    @Needs(Scope.ADMIN)
    @Operation(summary = "Makes somebody a member, or changes the role")
    public MemberView put(
            @PathParam("subject") String subject,
            @QueryParam("project") Optional<String> project,
            MemberRequest request) {
        Names.text("subject", subject);
        TenantRows.Role role = MachinesResource.required(request).role();
        if (role == null) {
            throw Problem.invalid("role: expected VIEWER, DEVELOPER or ADMIN, got nothing");
        }
        Optional<String> where = caller.projectFilter(project);
        acts.act("member.set", subject, role + " of " + where.orElse("the organisation"), sql -> {
            where.ifPresent(name -> TenantRows.project(sql, caller.organisation(), name)
                    .orElseThrow(() -> Problem.notFound("project", name)));
            TenantRows.setMember(sql, caller.organisation(), where, subject, role);
            return null;
        });
        return new MemberView(subject, where.orElse(null), role, null);
    }

    @DELETE
    @Path("{subject}")
    @Consumes(MediaType.WILDCARD)
    @Needs(Scope.ADMIN)
    @Operation(summary = "Removes a member")
    public Response remove(@PathParam("subject") String subject, @QueryParam("project") Optional<String> project) {
        Optional<String> where = caller.projectFilter(project);
        acts.act("member.remove", subject, "of " + where.orElse("the organisation"), sql -> {
            if (!TenantRows.removeMember(sql, caller.organisation(), where, subject)) {
                throw Problem.notFound("member", subject);
            }
            return null;
        });
        return Response.noContent().build();
    }
}
