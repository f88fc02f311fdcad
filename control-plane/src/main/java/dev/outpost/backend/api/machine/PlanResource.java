package dev.outpost.backend.api.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.fleet.Decision;
import dev.outpost.backend.fleet.FreeGpus;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.BudgetRows;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.GpuAvailability;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Tells the fate of a request without making it. */
@Path("/v1/machines:plan")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "machines")
public class PlanResource {
    /** The default for a client's machine. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final Caller caller;
    private final Database database;
    private final GpuCatalogue catalogue;
    private final Endpoints endpoints;
    private final FreeGpus gpus;
    private final Money money;
    private final MachineOperations machines;

    PlanResource(
            Caller caller,
            Database database,
            GpuCatalogue catalogue,
            Endpoints endpoints,
            FreeGpus gpus,
            Money money,
            MachineOperations machines) {
        this.machines = machines;
        this.money = money;
        this.caller = caller;
        this.database = database;
        this.catalogue = catalogue;
        this.endpoints = endpoints;
        this.gpus = gpus;
    }

    /**
     * The request that is asked about.
     *
     * @param life as of a machine that is asked for; so are {@code lease}, which is 60 s where both are left out, and {@code idle}
     */
    public record PlanRequest(String project, String gpu, Integer gpus, Duration life, Duration lease, Duration idle) {
        private MachineRequest start() {
            boolean isClients = life == null && lease == null;
            return new MachineRequest(project, gpu, gpus, life, isClients ? LEASE : lease, idle, null, null, null);
        }
    }

    /**
     * The fate of the request.
     *
     * @param why it would not start now
     * @param limit the quota or budget that binds
     * @param freeBy when there is room at the latest, where that is known
     * @param waiting how many wait already
     * @param device the GPU that it would get, where its cluster tells that before a start
     * @param perHour what it costs, in units of the currency; that of the dearest where several kinds may be given
     * @param reach which way a client would reach it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Plan(
            String gpu,
            boolean startsNow,
            String why,
            Problem.LimitView limit,
            Instant freeBy,
            int waiting,
            String cluster,
            String device,
            long nanosPerSecond,
            BigDecimal perHour,
            String currency,
            String reach) {
        private Plan with(GpuAvailability told, Optional<Instant> nextEnd) {
            return told.isFree() ? getting(told.text()) : refused(told.text(), nextEnd);
        }

        private Plan getting(String chosen) {
            return new Plan(
                    gpu,
                    startsNow,
                    why,
                    limit,
                    freeBy,
                    waiting,
                    cluster,
                    chosen,
                    nanosPerSecond,
                    perHour,
                    currency,
                    reach);
        }

        private Plan refused(String reason, Optional<Instant> nextEnd) {
            return new Plan(
                    gpu,
                    false,
                    reason,
                    limit,
                    nextEnd.orElse(null),
                    waiting,
                    cluster,
                    device,
                    nanosPerSecond,
                    perHour,
                    currency,
                    reach);
        }
    }

    @POST
    @RequiresScope(Scope.READ)
    @Operation(summary = "Tells whether a machine would start now, why not, when, at what price, and how it is reached")
    public Plan plan(PlanRequest body) {
        Request request = Inputs.required(body).start().checked(caller, catalogue);
        Decided decided = database.transact(sql -> decide(sql, request));
        // The cluster is asked outside of any transaction.
        return gpus.of(decided.decision(), request)
                .map(told -> decided.plan()
                        .with(told, told.isFree() ? Optional.empty() : database.transact(QueueRows::nextEnd)))
                .orElse(decided.plan());
    }

    private record Decided(Decision decision, Plan plan) {}

    private Decided decide(Sql sql, Request request) {
        Instant now = sql.now();
        Decision decision = machines.decide(sql, caller, request);
        Optional<String> cluster = cluster(decision);
        boolean isWaiting = decision instanceof Decision.Waits;
        Plan plan = new Plan(
                request.gpu(),
                decision.why().isEmpty(),
                decision.why().orElse(null),
                limit(decision).orElse(null),
                isWaiting ? QueueRows.nextEnd(sql).orElse(null) : null,
                QueueRows.waiting(sql, request.gpu()),
                cluster.orElse(null),
                null,
                BudgetRows.rate(sql, request.gpu(), 1, now),
                Money.plain(BudgetRows.perHour(sql, request.gpu(), now)),
                money.currency(),
                endpoints.sentence(cluster, Endpoints.relays(sql)));
        return new Decided(decision, plan);
    }

    private static Optional<String> cluster(Decision decision) {
        return switch (decision) {
            case Decision.Starts it -> Optional.of(it.cluster());
            case Decision.Waits it -> it.cluster();
            default -> Optional.empty();
        };
    }

    private static Optional<Problem.LimitView> limit(Decision decision) {
        return switch (decision) {
            case Decision.OverQuota it -> Optional.of(Problem.LimitView.of(it.excess()));
            case Decision.OverBudget it -> Optional.of(Problem.LimitView.of(it.excess()));
            case Decision.Waits it -> it.excess().map(Problem.LimitView::of);
            default -> Optional.empty();
        };
    }
}
