package dev.outpost.backend.api.job;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.job.SecretRequest;
import dev.outpost.rest.job.SecretView;
import dev.outpost.rest.tenant.KeyScope;
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
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Secrets of projects. They are stored sealed, given to jobs that name them, and never shown again. */
@Path("/v1/secrets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "secrets")
public class SecretsResource extends ApiResource {
    private static final String NAME = "{name: [^/:]+}";

    private final SealKeys seals;

    SecretsResource(SealKeys seals) {
        this.seals = seals;
    }

    private static SecretView view(SecretRows.Stored row) {
        return new SecretView(row.project(), row.name(), row.version(), row.changed());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The names of a project's secrets")
    public Page<SecretView> list(@QueryParam("project") Optional<String> project, @BeanParam PageRequest request) {
        String of = caller.projectOr(project);
        return page(
                request,
                sql -> SecretRows.page(sql, caller.organisation(), of, request.name(), request.rows()),
                SecretsResource::view,
                SecretRows.Stored::name);
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Sets a secret; its value is never shown again",
            description = "If-Match says which version is changed, If-None-Match: * that there is none yet.")
    public SecretView put(@PathParam("name") String name, SecretRequest request, @BeanParam Preconditions match) {
        SecretRequest body = Inputs.required(request);
        requireSeals(seals);
        String project = caller.projectOr(Optional.ofNullable(body.project()));
        if (!name.matches(JobInputs.VARIABLE) || name.startsWith("OUTPOST_")) {
            throw Problem.invalid("name: expected the name of a variable that does not begin with OUTPOST_");
        }
        if (body.value() == null
                || body.value().length() > Bounds.SECRET
                || body.value().indexOf('\0') >= 0) {
            throw Problem.invalid("value: expected a text of up to " + Bounds.SECRET + " characters");
        }
        return act("secret.set", project + "/" + name, "", sql -> {
            requireProject(sql, project);
            String place = SecretRows.place(caller.organisation(), project, name);
            requireWritten(
                    SecretRows.put(
                            sql,
                            caller.organisation(),
                            project,
                            name,
                            seals.seal(place, body.value().getBytes(StandardCharsets.UTF_8)),
                            match.version()),
                    "secret",
                    name);
            return view(
                    SecretRows.find(sql, caller.organisation(), project, name).orElseThrow());
        });
    }

    public static void requireSeals(SealKeys seals) {
        if (!seals.isReady()) {
            throw Problem.of(
                    Problem.Code.UNAVAILABLE,
                    "secrets and webhooks need a key that seals, the same for all replicas; set OUTPOST_BACKEND_SEAL_KEY");
        }
    }

    @DELETE
    @Path(NAME)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(summary = "Removes a secret", description = "If-Match says which version is removed.")
    public Response remove(
            @PathParam("name") String name,
            @QueryParam("project") Optional<String> project,
            @BeanParam Preconditions match) {
        String of = caller.projectOr(project);
        return remove("secret.remove", of + "/" + name, "", sql -> {
            requireRemoved(
                    SecretRows.remove(sql, caller.organisation(), of, name, match.version()),
                    () -> SecretRows.find(sql, caller.organisation(), of, name).isPresent(),
                    "secret",
                    name);
        });
    }
}
