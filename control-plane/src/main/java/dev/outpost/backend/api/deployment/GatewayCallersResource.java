package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.TokenRows;
import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.rest.deployment.ShownKey;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Tells gateways the owners of the keys that their callers show. */
@Path("/v1/gateways:admit")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "deployments")
public class GatewayCallersResource extends ApiResource {
    /** Returns the number of tokens that may still be used: 0 if a budget is used up, empty without a limit. */
    private Optional<Long> left(Sql sql, String project, String key) {
        return Budgets.isUsedUp(sql, caller.organisation(), project, key)
                ? Optional.of(0L)
                : QuotaRows.tokensLeft(sql, caller.organisation(), project, sql.now());
    }

    @POST
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Tells a gateway whose key it was shown, where it is one of the gateway's own organisation",
            description = "Any other key is refused as one that is unknown.")
    public AdmittedKey admit(ShownKey request) {
        ShownKey body = Inputs.required(request);
        KeyRows.Stored key = Optional.ofNullable(body.key())
                .flatMap(ApiKey::parse)
                .flatMap(said -> transact(sql -> KeyRows.find(sql, said.id()))
                        .filter(found -> said.matches(found.key().hash()))
                        .flatMap(KeyRows.Found::effective))
                .filter(found -> found.organisation().equals(caller.organisation()))
                .filter(found -> found.scopes().contains(KeyScope.READ))
                .filter(found -> caller.project().isEmpty()
                        || found.project().isEmpty()
                        || caller.project().equals(found.project()))
                .orElseThrow(
                        () -> Problem.of(Problem.Code.NOT_FOUND, "key: there is none such that this gateway serves"));
        String billed = key.project().or(caller::project).orElse(TenantRows.FIRST_PROJECT);
        Optional<Long> left = transact(sql -> {
            TokenRows.shown(sql, caller.keyId(), key.id());
            return left(sql, billed, key.id());
        });
        return new AdmittedKey(
                key.id(),
                key.project().orElse(null),
                billed,
                left.orElse(null),
                key.expires().orElse(null));
    }
}
