package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.BudgetRows.Position;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetRequest;
import dev.outpost.rest.usage.BudgetRequest.ThresholdRequest;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.usage.BudgetView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The limits of spending of the organisation, its projects and its keys, by day, week, month or in all. */
@Path("/v1/budgets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "budgets")
public class BudgetsResource extends ApiResource {
    private static final BigDecimal MOST = BigDecimal.valueOf(Bounds.CAP);
    private static final List<BudgetThreshold> STANDARD =
            List.of(new BudgetThreshold(80, BudgetAction.NOTIFY), new BudgetThreshold(100, BudgetAction.END));

    private final Budgets budgets;

    BudgetsResource(Budgets budgets) {
        this.budgets = budgets;
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Budgets, what is spent of them, and how long they last")
    public Page<BudgetView> list(@BeanParam PageRequest request) {
        Position after = position(request).orElse(Position.START);
        return transact(sql -> request.of(
                BudgetRows.page(sql, caller.organisation(), caller.project(), after, request.rows()),
                views(sql, caller.organisation()),
                stored -> text(Position.of(stored.budget()))));
    }

    /** Returns a function that makes the views of an organisation's budgets, with the amount spent of each. */
    Function<BudgetRows.Stored, BudgetView> views(Sql sql, String organisation) {
        Instant now = sql.now();
        List<BudgetRows.Live> live = BudgetRows.live(sql, organisation, now);
        return stored -> view(sql, stored, live, budgets.horizon(), now);
    }

    private static String text(Position position) {
        return String.join(" ", position.project(), position.key(), position.period());
    }

    private static Optional<Position> position(PageRequest request) {
        return request.position(3, parts -> new Position(parts[0], parts[1], parts[2]));
    }

    private static BudgetView view(
            Sql sql, BudgetRows.Stored stored, List<BudgetRows.Live> live, Duration horizon, Instant now) {
        Budget budget = stored.budget();
        Instant from = budget.period().begin(now);
        long spent = BudgetRows.spent(sql, budget, now);
        long rate = live.stream()
                .filter(one -> budget.covers(one.project(), one.key()))
                .mapToLong(BudgetRows.Live::rate)
                .reduce(0, Amounts::plus);
        long left = Math.max(0, budget.refuseBound().orElse(budget.capNanos()) - spent);
        Optional<Duration> lasts = budget.lasts(spent, rate);
        return new BudgetView(
                budget.name(),
                budget.coveredProject().orElse(null),
                budget.key().orElse(null),
                budget.period(),
                from,
                Money.of(budget.capNanos()),
                Money.of(spent),
                Money.of(left),
                budget.thresholds(),
                spent,
                left,
                rate,
                lasts.orElse(null),
                Budgets.units(left) + " left"
                        + lasts.map(time -> ", " + minutes(time) + " at this rate")
                                .orElse("")
                        + reasons(budget, spent, Amounts.times(rate, horizon.toSeconds()), left, horizon),
                stored.reachedFrom().filter(from::equals).isPresent() ? stored.reached() : List.of(),
                stored.version());
    }

    /** Returns the reasons why less than the cap is left for another machine; empty if the whole cap is left. */
    private static String reasons(Budget budget, long spent, long held, long left, Duration horizon) {
        List<String> reasons = new ArrayList<>();
        if (spent > 0) {
            reasons.add(Budgets.units(spent) + " is spent");
        }
        budget.thresholds().stream()
                .filter(threshold -> threshold.action() != BudgetAction.NOTIFY)
                .min(Comparator.comparing(BudgetThreshold::percent))
                .filter(first -> budget.nanos(first) < budget.capNanos())
                .ifPresent(first -> reasons.add("no more machines are made from " + Budgets.units(budget.nanos(first))
                        + " on (" + first.percent() + " %, " + first.action() + ")"));
        if (held > 0 && budget.refuseBound().isPresent()) {
            reasons.add(Budgets.units(held) + " is put by for the next " + minutes(horizon)
                    + " of the machines there are, so " + Budgets.units(Math.max(0, left - held))
                    + " is left for another one");
        }
        return reasons.isEmpty()
                ? ""
                : ". Of the cap of " + Budgets.units(budget.capNanos()) + ": " + String.join("; ", reasons);
    }

    private static String minutes(Duration time) {
        return time.toMinutes() >= 1 ? time.toMinutes() + " minutes" : time.toSeconds() + " seconds";
    }

    @PUT
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Sets a budget; If-Match says which version is changed, If-None-Match: * that there is none")
    public Response put(BudgetRequest request, @BeanParam Preconditions match) {
        BudgetRequest body = Inputs.required(request);
        Budget budget = new Budget(
                caller.organisation(),
                caller.projectFilter(Optional.ofNullable(body.project())),
                Optional.ofNullable(body.key()),
                period(body.period()),
                nanos(body.cap()),
                thresholds(body.thresholds()));
        return set(budget, budget.project(), budget.name(), match);
    }

    /**
     * Sets a budget of an administrator or of the operator.
     *
     * @param project the project that must exist; empty for a budget of the operator. An administrator who names {@link Budget#OPERATOR} is
     *     refused, because no project has this name.
     */
    Response set(Budget budget, Optional<String> project, String target, Preconditions match) {
        BudgetView view = act("budget.set", target, "cap " + Budgets.units(budget.capNanos()), sql -> {
            requireOrganisation(sql, budget.organisation());
            requireProject(sql, project);
            budget.key()
                    .ifPresent(id -> KeyRows.find(sql, id)
                            .filter(found -> found.key().organisation().equals(budget.organisation()))
                            .orElseThrow(() -> Problem.notFound("key", id)));
            requireWritten(BudgetRows.set(sql, budget, match.version()), "budget", budget.name());
            return views(sql, budget.organisation())
                    .apply(BudgetRows.find(sql, budget).orElseThrow());
        });
        return tagged(Response.ok(), view, view.version());
    }

    static BudgetPeriod period(BudgetPeriod period) {
        if (period == null) {
            throw Problem.invalid("period: expected DAY, WEEK, MONTH or LIFETIME, got nothing");
        }
        return period;
    }

    static long nanos(BigDecimal cap) {
        return Money.checked("cap", cap, MOST, Price.DIGITS)
                .movePointRight(Price.DIGITS)
                .longValueExact();
    }

    static List<BudgetThreshold> thresholds(List<ThresholdRequest> asked) {
        if (asked == null) {
            return STANDARD;
        }
        if (asked.isEmpty() || asked.size() > Bounds.THRESHOLDS) {
            throw Problem.invalid("thresholds: expected 1 to " + Bounds.THRESHOLDS + ", got " + asked.size());
        }
        if (asked.stream()
                .anyMatch(one -> one == null || Objects.isNull(one.percent()) || Objects.isNull(one.action()))) {
            throw Problem.invalid("thresholds: expected percent and action (NOTIFY, REFUSE or END) of each");
        }
        try {
            return asked.stream()
                    .map(one -> BudgetThreshold.checked(one.percent(), one.action()))
                    .toList();
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }

    @DELETE
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Removes a budget: there is no such bound then",
            description = "If-Match says which version is removed.")
    public Response remove(
            @QueryParam("project") Optional<String> project,
            @QueryParam("key") Optional<String> key,
            @QueryParam("period") BudgetPeriod period,
            @BeanParam Preconditions match) {
        project.ifPresent(name -> ResourceNames.slug("project", name));
        Budget of = new Budget(caller.organisation(), caller.projectFilter(project), key, period(period), 0, List.of());
        return remove(of, of.name(), match);
    }

    /** Removes a budget of an administrator or of the operator. */
    Response remove(Budget budget, String target, Preconditions match) {
        return remove(
                "budget.remove",
                target,
                "",
                sql -> requireRemoved(
                        BudgetRows.remove(sql, budget, match.version()),
                        () -> BudgetRows.find(sql, budget).isPresent(),
                        "budget",
                        budget.name()));
    }
}
