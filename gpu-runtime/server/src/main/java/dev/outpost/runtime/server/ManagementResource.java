package dev.outpost.runtime.server;

import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.stats.RuntimeStats;
import dev.outpost.runtime.session.stats.SessionStats;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The public description of the machine, and the work of its sessions, which requires the token. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Machine")
@SecurityScheme(securitySchemeName = "token", type = SecuritySchemeType.HTTP, scheme = "bearer")
public class ManagementResource {
    private final RuntimeHost host;
    private final RuntimeInfo info;

    ManagementResource(RuntimeHost host, RuntimeInfo info) {
        this.host = host;
        this.info = info;
    }

    @GET
    @Path("info")
    @Operation(summary = "The machine: its engine, device, versions and bounds")
    public Uni<RuntimeInfo.Description> info() {
        return Uni.createFrom().item(info::describe);
    }

    @GET
    @Path("stats")
    @TokenRequired
    @SecurityRequirement(name = "token")
    @Operation(summary = "The totals of all sessions: values, work and refusals")
    public Uni<RuntimeStats> stats() {
        return Uni.createFrom().item(host::stats);
    }

    @GET
    @Path("sessions")
    @TokenRequired
    @SecurityRequirement(name = "token")
    @Operation(summary = "The sessions and their counters, by number")
    public Uni<List<SessionStats>> sessions() {
        return Uni.createFrom().item(host::sessions);
    }

    @GET
    @Path("instructions")
    @TokenRequired
    @SecurityRequirement(name = "token")
    @Operation(summary = "The latest instructions of each open session, as text of ops and shapes without values")
    public Uni<Map<Long, List<String>>> instructions() {
        return Uni.createFrom().item(() -> host.instructions(GrantManagement.MAX_INSTRUCTIONS));
    }

    @GET
    @Path("sessions/{number}")
    @TokenRequired
    @SecurityRequirement(name = "token")
    @Operation(summary = "One session and its counters")
    @APIResponse(responseCode = "200", description = "The session")
    @APIResponse(responseCode = "404", description = "There is no such session, or it ended a while ago")
    public Uni<SessionStats> session(@PathParam("number") long number) {
        return Uni.createFrom()
                .item(() -> host.sessions().stream()
                        .filter(session -> session.number() == number)
                        .findFirst()
                        .orElseThrow(NotFoundException::new));
    }
}
