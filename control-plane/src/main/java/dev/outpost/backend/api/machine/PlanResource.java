package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.ClusterCapacity;
import dev.outpost.backend.fleet.Decision;
import dev.outpost.backend.fleet.FreeGpus;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.rest.LimitView;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.machine.PlanRequest;
import dev.outpost.rest.machine.PlanView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Returns the decision about a request for a machine, without making the machine. */
@Path("/v1/machines:plan")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class PlanResource extends ApiResource {
    /** The default lease of a client's machine. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final GpuCatalogue catalogue;
    private final Endpoints endpoints;
    private final FreeGpus gpus;
    private final Money money;
    private final MachineOperations machines;

    PlanResource(GpuCatalogue catalogue, Endpoints endpoints, FreeGpus gpus, Money money, MachineOperations machines) {
        this.machines = machines;
        this.money = money;
        this.catalogue = catalogue;
        this.endpoints = endpoints;
        this.gpus = gpus;
    }

    @POST
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Tells whether a machine would start now, why not, when, at what price, and how it is reached")
    public PlanView plan(PlanRequest body) {
        Request request = MachineInputs.checked(start(Inputs.required(body)), caller, catalogue);
        Decided decided = transact(sql -> decide(sql, request));
        // Asks the cluster outside of any transaction.
        Optional<String> impossible = gpus.impossible(decided.clusters(), request);
        if (impossible.isPresent()) {
            return with(decided.plan(), new GpuAvailability(false, impossible.get()), Optional.empty());
        }
        return gpus.of(decided.decision(), request)
                .map(told -> with(decided.plan(), told, told.isFree() ? Optional.empty() : nextEnd(request)))
                .orElse(decided.plan());
    }

    private Optional<Instant> nextEnd(Request request) {
        return transact(sql -> ClusterCapacity.of(sql).nextEnd(request.gpu()));
    }

    private static MachineRequest start(PlanRequest body) {
        boolean isClients = body.life() == null && body.lease() == null;
        return new MachineRequest(
                body.project(),
                body.gpu(),
                body.gpus(),
                body.life(),
                isClients ? LEASE : body.lease(),
                body.idle(),
                null,
                null,
                null);
    }

    /** Adds the answer of the cluster to the plan. */
    private static PlanView with(PlanView plan, GpuAvailability told, Optional<Instant> nextEnd) {
        boolean isFree = told.isFree();
        return new PlanView(
                plan.gpu(),
                isFree && plan.startsNow(),
                isFree ? plan.why() : told.text(),
                plan.limit(),
                isFree ? plan.freeBy() : nextEnd.orElse(null),
                plan.waiting(),
                plan.cluster(),
                isFree ? told.text() : plan.device(),
                plan.nanosPerSecond(),
                plan.perHour(),
                plan.currency(),
                plan.reach());
    }

    private record Decided(Decision decision, PlanView plan, List<ClusterRows.Stored> clusters) {}

    private Decided decide(Sql sql, Request request) {
        Instant now = sql.now();
        Decision decision = machines.decide(sql, caller, request);
        Optional<String> cluster = cluster(decision);
        PlanView plan = new PlanView(
                request.gpu(),
                decision.why().isEmpty(),
                decision.why().orElse(null),
                limit(decision).orElse(null),
                freeBy(sql, decision, request).orElse(null),
                QueueRows.waiting(sql, request.gpu()),
                cluster.orElse(null),
                null,
                BudgetRows.rate(sql, request.gpu(), 1, now),
                Money.plain(BudgetRows.perHour(sql, request.gpu(), now)),
                money.currency(),
                endpoints.sentence(cluster, Endpoints.relays(sql)));
        return new Decided(decision, plan, ClusterRows.all(sql));
    }

    /** Returns the latest time at which a machine in the way of a waiting request ends. Empty if none is, as where all clusters are cordoned. */
    private static Optional<Instant> freeBy(Sql sql, Decision decision, Request request) {
        if (!(decision instanceof Decision.Waits waits)) {
            return Optional.empty();
        }
        return waits.excess().isPresent()
                ? QueueRows.nextEnd(sql, request, waits.excess().get().limit())
                : ClusterCapacity.of(sql).nextEnd(request.gpu());
    }

    private static Optional<String> cluster(Decision decision) {
        return switch (decision) {
            case Decision.Starts it -> Optional.of(it.cluster());
            case Decision.Waits it -> it.cluster();
            default -> Optional.empty();
        };
    }

    private static Optional<LimitView> limit(Decision decision) {
        return switch (decision) {
            case Decision.OverQuota it -> Optional.of(Problem.view(it.excess()));
            case Decision.OverBudget it -> Optional.of(Problem.view(it.excess()));
            case Decision.Waits it -> it.excess().map(Problem::view);
            default -> Optional.empty();
        };
    }
}
