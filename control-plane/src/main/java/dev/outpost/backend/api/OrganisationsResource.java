package dev.outpost.backend.api;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.TenantRows;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The organisations of this installation, which know nothing of each other. */
@Path("/v1/organisations")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "organisations")
public class OrganisationsResource {
    private static final String FIRST_PROJECT = "default";

    private final Caller caller;
    private final Acts acts;
    private final SecureRandom random = new SecureRandom();

    OrganisationsResource(Caller caller, Acts acts) {
        this.caller = caller;
        this.acts = acts;
    }

    public record OrganisationRequest(String name) {}

    /** A new organisation, and the key of its administrator, which is shown this once. */
    public record Made(String name, String project, String key) {}

    @GET
    @Needs(Scope.OPERATOR)
    @Operation(summary = "Organisations, by name")
    public Page<String> list() {
        return Page.all(acts.read(TenantRows::organisations));
    }

    @POST
    @Needs(Scope.OPERATOR)
    @Operation(
            summary =
                    "Makes an organisation with a first project and its administrator's key, which is shown this once")
    public Response create(OrganisationRequest request) {
        String name = Names.slug("name", MachinesResource.required(request).name());
        Made made = acts.act("organisation.create", name, "", sql -> create(sql, name));
        return Response.status(201).entity(made).build();
    }

    private Made create(Sql sql, String name) {
        if (!TenantRows.addOrganisation(sql, name)) {
            throw Problem.of(Problem.Code.CONFLICT, "organisation " + name + ": there is one of this name");
        }
        TenantRows.addProject(sql, name, FIRST_PROJECT, 0);
        ApiKey key = ApiKey.draw(random);
        KeyRows.add(
                sql,
                new KeyRows.Stored(
                        key.id(),
                        name,
                        Optional.empty(),
                        "administrator",
                        key.hash(),
                        List.of(Scope.READ, Scope.MACHINES, Scope.ADMIN),
                        Instant.EPOCH,
                        caller.keyId(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1));
        return new Made(name, FIRST_PROJECT, key.text());
    }
}
