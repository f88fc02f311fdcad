package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.usage.BudgetView;
import dev.outpost.rest.usage.QuotaRequest;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import dev.outpost.rest.usage.QuotaView;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The operator's limits of an organisation. Its administrators see them and cannot change them. */
@Path("/v1/organisations/{organisation}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "organisations")
public class OrganisationLimitsResource extends ApiResource {
    private static final int ALL = 1_000;

    private final GpuCatalogue catalogue;
    private final QuotasResource quotas;
    private final BudgetsResource budgets;

    OrganisationLimitsResource(GpuCatalogue catalogue, QuotasResource quotas, BudgetsResource budgets) {
        this.catalogue = catalogue;
        this.quotas = quotas;
        this.budgets = budgets;
    }

    // ---- quotas

    @GET
    @Path("quotas")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "The operator's quotas of an organisation, and what is used of them")
    public Page<QuotaView> quotas(@PathParam("organisation") String organisation) {
        return transact(sql -> {
            requireOrganisation(sql, organisation);
            Instant now = sql.now();
            List<QuotaView> views =
                    QuotaRows.page(sql, organisation, Optional.of(""), QuotaRows.Key.FIRST, ALL).stream()
                            .filter(stored -> stored.limit().scope() == QuotaScope.OPERATOR)
                            .map(stored -> QuotasResource.view(sql, organisation, stored, now))
                            .toList();
            return new Page<>(views, null);
        });
    }

    @PUT
    @Path("quotas")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Sets a quota of the operator for an organisation; If-Match says which version is changed",
            description =
                    "It holds besides the quotas of the organisation's administrators: a request must fit into all.")
    public Response putQuota(
            @PathParam("organisation") String organisation, QuotaRequest request, @BeanParam Preconditions match) {
        QuotaRequest body = Inputs.required(request);
        requireNoProject(body.project());
        QuotaLimit limit = QuotasResource.limit(body, QuotaScope.OPERATOR, catalogue);
        return quotas.set(organisation, Optional.empty(), limit, target(organisation, limit), match);
    }

    @DELETE
    @Path("quotas")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes a quota of the operator", description = "If-Match says which version is removed.")
    public Response removeQuota(
            @PathParam("organisation") String organisation,
            @QueryParam("resource") QuotaResource resource,
            @QueryParam("gpu") Optional<String> gpu,
            @BeanParam Preconditions match) {
        QuotaLimit limit = QuotasResource.limit(
                new QuotaRequest(null, resource, gpu.orElse(null), 0L), QuotaScope.OPERATOR, catalogue);
        return quotas.remove(organisation, Optional.empty(), limit, target(organisation, limit), match);
    }

    private static String target(String organisation, QuotaLimit limit) {
        return limit.name() + " of " + organisation;
    }

    private static void requireNoProject(String project) {
        if (project != null) {
            throw Problem.invalid("project: limits of the operator are for whole organisations, leave it out");
        }
    }

    // ---- budgets

    @GET
    @Path("budgets")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "The operator's budgets of an organisation, and what is spent of them")
    public Page<BudgetView> budgets(@PathParam("organisation") String organisation) {
        return transact(sql -> {
            requireOrganisation(sql, organisation);
            List<BudgetView> views =
                    BudgetRows.page(sql, organisation, Optional.of(Budget.OPERATOR), BudgetRows.Position.START, ALL)
                            .stream()
                            .map(budgets.views(sql, organisation))
                            .toList();
            return new Page<>(views, null);
        });
    }

    @PUT
    @Path("budgets")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Sets a budget of the operator for an organisation; If-Match says which version is changed",
            description =
                    "It holds besides the budgets of the organisation's administrators: a machine must fit into all.")
    public Response putBudget(
            @PathParam("organisation") String organisation, BudgetRequest request, @BeanParam Preconditions match) {
        BudgetRequest body = Inputs.required(request);
        requireNoProject(body.project());
        if (body.key() != null) {
            throw Problem.invalid("key: limits of the operator are for whole organisations, leave it out");
        }
        Budget budget = budget(
                organisation,
                BudgetsResource.period(body.period()),
                BudgetsResource.nanos(body.cap()),
                BudgetsResource.thresholds(body.thresholds()));
        return budgets.set(budget, Optional.empty(), target(budget), match);
    }

    private static Budget budget(String organisation, BudgetPeriod period, long cap, List<BudgetThreshold> thresholds) {
        return new Budget(organisation, Optional.of(Budget.OPERATOR), Optional.empty(), period, cap, thresholds);
    }

    private static String target(Budget budget) {
        return budget.name() + " of " + budget.organisation();
    }

    @DELETE
    @Path("budgets")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes a budget of the operator", description = "If-Match says which version is removed.")
    public Response removeBudget(
            @PathParam("organisation") String organisation,
            @QueryParam("period") BudgetPeriod period,
            @BeanParam Preconditions match) {
        Budget of = budget(organisation, BudgetsResource.period(period), 0, List.of());
        return budgets.remove(of, target(of), match);
    }
}
