package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.ETags;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.fleet.Wakeups;
import dev.outpost.backend.model.Budget;
import dev.outpost.backend.model.QuotaLimit;
import dev.outpost.backend.store.BudgetRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetView;
import dev.outpost.rest.usage.QuotaRequest;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import dev.outpost.rest.usage.QuotaView;
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
public class OrganisationLimitsResource {
    private static final int ALL = 1_000;

    private final AuditedTransaction audited;
    private final GpuCatalogue catalogue;
    private final Wakeups wakeups;
    private final Budgets budgets;

    OrganisationLimitsResource(AuditedTransaction audited, GpuCatalogue catalogue, Wakeups wakeups, Budgets budgets) {
        this.budgets = budgets;
        this.audited = audited;
        this.catalogue = catalogue;
        this.wakeups = wakeups;
    }

    private static void requireOrganisation(Sql sql, String name) {
        if (!TenantRows.hasOrganisation(sql, name)) {
            throw Problem.notFound("organisation", name);
        }
    }

    // ---- quotas

    @GET
    @Path("quotas")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "The operator's quotas of an organisation, and what is used of them")
    public Page<QuotaView> quotas(@PathParam("organisation") String organisation) {
        return audited.read(sql -> {
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
            @PathParam("organisation") String organisation,
            QuotaRequest request,
            @HeaderParam("If-Match") String ifMatch,
            @HeaderParam("If-None-Match") String ifNoneMatch) {
        QuotaRequest body = Inputs.required(request);
        requireNoProject(body.project());
        QuotaLimit limit = QuotasResource.limit(body, QuotaScope.OPERATOR, catalogue);
        Optional<Long> version = ETags.expected(ifMatch, ifNoneMatch);
        QuotaView view = audited.act("quota.set", target(organisation, limit), "allowed " + limit.allowed(), sql -> {
            requireOrganisation(sql, organisation);
            if (!QuotaRows.set(sql, organisation, Optional.empty(), limit, version)) {
                throw Problem.changedSince("quota", limit.name());
            }
            return QuotasResource.view(
                    sql,
                    organisation,
                    QuotaRows.find(sql, organisation, QuotaRows.Key.of(limit, Optional.empty()))
                            .orElseThrow(),
                    sql.now());
        });
        wakeups.admission();
        return ETags.tagged(Response.ok(), view, view.version());
    }

    @DELETE
    @Path("quotas")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes a quota of the operator")
    public Response removeQuota(
            @PathParam("organisation") String organisation,
            @QueryParam("resource") QuotaResource resource,
            @QueryParam("gpu") Optional<String> gpu) {
        QuotaLimit limit = QuotasResource.limit(
                new QuotaRequest(null, resource, gpu.orElse(null), 0L), QuotaScope.OPERATOR, catalogue);
        audited.act("quota.remove", target(organisation, limit), "", sql -> {
            if (!QuotaRows.remove(sql, organisation, Optional.empty(), limit)) {
                throw Problem.notFound("quota", limit.name());
            }
            return null;
        });
        wakeups.admission();
        return Response.noContent().build();
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
        return audited.read(sql -> {
            requireOrganisation(sql, organisation);
            Instant now = sql.now();
            List<BudgetRows.Live> live = BudgetRows.live(sql, organisation, now);
            List<BudgetView> views =
                    BudgetRows.page(sql, organisation, Optional.of(Budget.OPERATOR), BudgetRows.Position.START, ALL)
                            .stream()
                            .map(stored -> BudgetsResource.view(sql, stored, live, budgets.horizon(), now))
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
            @PathParam("organisation") String organisation,
            BudgetRequest request,
            @HeaderParam("If-Match") String ifMatch,
            @HeaderParam("If-None-Match") String ifNoneMatch) {
        BudgetRequest body = Inputs.required(request);
        requireNoProject(body.project());
        if (body.key() != null) {
            throw Problem.invalid("key: limits of the operator are for whole organisations, leave it out");
        }
        Budget budget = new Budget(
                organisation,
                Optional.of(Budget.OPERATOR),
                Optional.empty(),
                BudgetsResource.period(body.period()),
                BudgetsResource.nanos(body.cap()),
                BudgetsResource.thresholds(body.thresholds()));
        Optional<Long> version = ETags.expected(ifMatch, ifNoneMatch);
        BudgetView view = audited.act(
                "budget.set", budget.name() + " of " + organisation, "cap " + Budgets.units(budget.capNanos()), sql -> {
                    requireOrganisation(sql, organisation);
                    if (!BudgetRows.set(sql, budget, version)) {
                        throw Problem.changedSince("budget", budget.name());
                    }
                    Instant now = sql.now();
                    return BudgetsResource.view(
                            sql,
                            BudgetRows.find(sql, budget).orElseThrow(),
                            BudgetRows.live(sql, organisation, now),
                            budgets.horizon(),
                            now);
                });
        return ETags.tagged(Response.ok(), view, view.version());
    }

    @DELETE
    @Path("budgets")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes a budget of the operator")
    public Response removeBudget(
            @PathParam("organisation") String organisation, @QueryParam("period") BudgetPeriod period) {
        Budget of = new Budget(
                organisation,
                Optional.of(Budget.OPERATOR),
                Optional.empty(),
                BudgetsResource.period(period),
                0,
                List.of());
        audited.act("budget.remove", of.name() + " of " + organisation, "", sql -> {
            if (!BudgetRows.remove(sql, of)) {
                throw Problem.notFound("budget", of.name());
            }
            return null;
        });
        return Response.noContent().build();
    }
}
