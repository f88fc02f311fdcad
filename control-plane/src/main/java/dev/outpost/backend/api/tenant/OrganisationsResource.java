package dev.outpost.backend.api.tenant;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Idempotency;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.OrganisationMade;
import dev.outpost.rest.tenant.OrganisationRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The organisations of this installation, which are isolated from each other. */
@Path("/v1/organisations")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "organisations")
public class OrganisationsResource extends ApiResource {
    private final Idempotency idempotency;
    private final SecureRandom random = new SecureRandom();

    OrganisationsResource(Idempotency idempotency) {
        this.idempotency = idempotency;
    }

    @GET
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Organisations, by name")
    public Page<String> list(@BeanParam PageRequest request) {
        return page(
                request,
                sql -> TenantRows.organisations(sql, request.name(), request.rows()),
                name -> name,
                name -> name);
    }

    @POST
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary =
                    "Makes an organisation with a first project and its administrator's key, which is shown this once")
    public Response create(OrganisationRequest request, @HeaderParam("Idempotency-Key") String once) {
        OrganisationRequest body = Inputs.required(request);
        String name = ResourceNames.slug("name", body.name());
        return act(
                "organisation.create",
                name,
                "",
                sql -> idempotency.once(sql, once, body, it -> create(it, name), OrganisationMade::withoutKey));
    }

    @DELETE
    @Path("{organisation}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes an organisation that was never used; archive the projects of another one")
    public Response remove(@PathParam("organisation") String name) {
        if (name.equals(caller.organisation()) || name.equals(TenantRows.OPERATOR)) {
            throw Problem.of(Problem.Code.CONFLICT, "organisation " + name + ": the operator's own is not removed");
        }
        return remove("organisation.remove", name, "", sql -> {
            requireOrganisation(sql, name);
            if (!TenantRows.removeOrganisation(sql, name)) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "organisation " + name + ": machines, jobs, deployments, secrets, webhooks, files or bills"
                                + " name it, or a gateway has served its keys within 8 days; archive its projects instead");
            }
        });
    }

    private OrganisationMade create(Sql sql, String name) {
        if (!TenantRows.addOrganisation(sql, name)) {
            throw Problem.of(Problem.Code.CONFLICT, "organisation " + name + ": there is one of this name");
        }
        TenantRows.addProject(sql, name, TenantRows.FIRST_PROJECT, 0);
        ApiKey key = ApiKey.draw(random);
        KeyRows.add(
                sql,
                KeyRows.Stored.drawn(
                        key,
                        name,
                        Optional.empty(),
                        Optional.empty(),
                        "administrator",
                        List.of(KeyScope.READ, KeyScope.MACHINES, KeyScope.ADMIN),
                        caller.keyId(),
                        Optional.empty()));
        return new OrganisationMade(name, TenantRows.FIRST_PROJECT, key.text());
    }
}
