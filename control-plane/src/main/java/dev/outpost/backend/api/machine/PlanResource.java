package dev.outpost.backend.api.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Needs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.fleet.FreeGpus;
import dev.outpost.backend.fleet.Room;
import dev.outpost.backend.model.Quota;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.BudgetRows;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.QueueRows;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
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
    private final Caller caller;
    private final Database database;
    private final GpuCatalogue catalogue;
    private final Endpoints endpoints;
    private final FreeGpus gpus;
    private final Money money;

    PlanResource(
            Caller caller, Database database, GpuCatalogue catalogue, Endpoints endpoints, FreeGpus gpus, Money money) {
        this.money = money;
        this.caller = caller;
        this.database = database;
        this.catalogue = catalogue;
        this.endpoints = endpoints;
        this.gpus = gpus;
    }

    /** The request that is asked about. */
    public record PlanRequest(String project, String gpu, Integer gpus) {}

    /**
     * The fate of the request.
     *
     * @param why it would not start now
     * @param limit the quota that binds
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
    @Needs(Scope.READ)
    @Operation(summary = "Tells whether a machine would start now, why not, when, at what price, and how it is reached")
    public Plan plan(PlanRequest body) {
        PlanRequest asked = Inputs.required(body);
        Request request = new MachineRequest(
                        asked.project(), asked.gpu(), asked.gpus(), null, Duration.ofMinutes(1), null, null, null, null)
                .checked(caller, catalogue);
        Plan plan = database.transact(sql -> plan(sql, request));
        return plan.startsNow() ? onCluster(plan, catalogue.find(request.gpu())) : plan;
    }

    /** Asks the cluster, outside of any transaction. */
    private Plan onCluster(Plan plan, GpuType gpu) {
        return gpus.on(plan.cluster(), gpu)
                .map(told -> plan.with(told, told.isFree() ? Optional.empty() : database.transact(QueueRows::nextEnd)))
                .orElse(plan);
    }

    private Plan plan(Sql sql, Request request) {
        Instant now = sql.now();
        MachineService.requireProject(sql, request);
        Optional<Quota.Excess> excess = QuotaRows.check(sql, request, now);
        Room room = Room.of(sql);
        Optional<String> cluster = room.find(request.gpu(), request.members());
        int waiting = QueueRows.waiting(sql, request.gpu());
        Optional<String> impossible = room.impossible(request.gpu());
        Optional<String> why = impossible
                .or(() -> excess.map(Quota.Excess::text))
                .or(() -> cluster.isEmpty() ? Optional.of(room.text(request.gpu())) : room.trouble(cluster.get()));
        return new Plan(
                request.gpu(),
                why.isEmpty(),
                why.orElse(null),
                excess.map(Problem.LimitView::of).orElse(null),
                why.isEmpty() || impossible.isPresent()
                        ? null
                        : QueueRows.nextEnd(sql).orElse(null),
                waiting,
                cluster.orElse(null),
                null,
                BudgetRows.rate(sql, request.gpu(), 1, now),
                Money.plain(BudgetRows.perHour(sql, request.gpu(), now)),
                money.currency(),
                endpoints.sentence(cluster, Endpoints.relays(sql)));
    }
}
