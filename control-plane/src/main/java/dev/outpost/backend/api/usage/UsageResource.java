package dev.outpost.backend.api.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Needs;
import dev.outpost.backend.api.machine.MachineService;
import dev.outpost.backend.model.Amounts;
import dev.outpost.backend.model.Charge;
import dev.outpost.backend.model.Ledger;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Price;
import dev.outpost.backend.model.Prices;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.ReplicaRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.UsageRows;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The costs of machines. Days are those of UTC. */
@Path("/v1/usage")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "usage")
public class UsageResource {
    private final Caller caller;
    private final Database database;
    private final MachineService machines;
    private final Money money;

    UsageResource(Caller caller, Database database, MachineService machines, Money money) {
        this.money = money;
        this.caller = caller;
        this.database = database;
        this.machines = machines;
    }

    /**
     * What one machine has cost on one day.
     *
     * @param deployment which it was a replica of, if any
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DayView(
            LocalDate day,
            UUID machine,
            String project,
            String gpu,
            String deployment,
            long gpuSeconds,
            long nanos,
            BigDecimal cost) {
        DayView(
                LocalDate day,
                UUID machine,
                String project,
                String gpu,
                String deployment,
                long gpuSeconds,
                long nanos) {
            this(day, machine, project, gpu, deployment, gpuSeconds, nanos, Money.of(nanos));
        }
    }

    /**
     * A window's costs.
     *
     * @param total units of the currency, exactly; {@code totalNanos} is the same in billionths
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UsageView(
            Instant from, Instant to, List<DayView> items, long totalNanos, BigDecimal total, String currency) {}

    /** A time with one price, why it began and why it ended. */
    public record ChargeView(
            Instant from,
            Instant to,
            long seconds,
            int gpus,
            BigDecimal perHour,
            long nanosPerSecond,
            long nanos,
            BigDecimal cost,
            String began,
            String ended) {
        static ChargeView of(Charge charge) {
            return new ChargeView(
                    charge.from(),
                    charge.to(),
                    charge.seconds(),
                    charge.gpus(),
                    Money.plain(charge.perHour()),
                    charge.nanosPerSecond(),
                    charge.nanos(),
                    Money.of(charge.nanos()),
                    charge.began(),
                    charge.ended());
        }
    }

    /** All charges of a machine. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Explanation(
            UUID machine, List<ChargeView> items, long totalNanos, BigDecimal total, String currency) {}

    private record Key(LocalDate day, UUID machine) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byDay = day.compareTo(other.day);
            return byDay != 0 ? byDay : machine.compareTo(other.machine);
        }
    }

    @GET
    @Needs(Scope.READ)
    @Operation(summary = "Costs by machine and day; of this month unless a window is given")
    public UsageView usage(
            @QueryParam("project") Optional<String> project,
            @QueryParam("from") Optional<String> from,
            @QueryParam("to") Optional<String> to) {
        Optional<String> which = caller.projectFilter(project);
        return database.transact(sql -> {
            Instant now = sql.now();
            Window window = Window.of(from, to, now);
            return view(sql, which, window.from(), window.to().isBefore(now) ? window.to() : now);
        });
    }

    private UsageView view(Sql sql, Optional<String> project, Instant from, Instant to) {
        Prices prices = UsageRows.allPrices(sql);
        Map<UUID, String> deployments = ReplicaRows.deployments(sql, caller.organisation());
        Map<Key, DayView> days = new TreeMap<>();
        for (UsageRows.Used used : UsageRows.overlapping(sql, caller.organisation(), project, from, to)) {
            addDays(days, used, deployments.get(used.machine()), prices.of(used.gpu()), from, to);
        }
        List<DayView> items = List.copyOf(days.values());
        long total = items.stream().mapToLong(DayView::nanos).reduce(0, Amounts::plus);
        return new UsageView(from, to, items, total, Money.of(total), money.currency());
    }

    private static void addDays(
            Map<Key, DayView> days,
            UsageRows.Used used,
            String deployment,
            List<Price> prices,
            Instant from,
            Instant to) {
        Instant begin = used.usage().from().isAfter(from) ? used.usage().from() : from;
        Instant end = used.usage().to().filter(over -> over.isBefore(to)).orElse(to);
        for (Instant at = begin; at.isBefore(end); at = nextDay(at)) {
            Instant until = nextDay(at).isBefore(end) ? nextDay(at) : end;
            List<Charge> charges = Ledger.charges(used.usage(), used.gpus(), prices, at, until);
            LocalDate day = at.atOffset(ZoneOffset.UTC).toLocalDate();
            DayView more = new DayView(
                    day,
                    used.machine(),
                    used.project(),
                    used.gpu(),
                    deployment,
                    charges.stream()
                            .mapToLong(charge -> charge.seconds() * charge.gpus())
                            .sum(),
                    Ledger.total(charges));
            days.merge(new Key(day, used.machine()), more, UsageResource::sum);
        }
    }

    private static DayView sum(DayView one, DayView other) {
        return new DayView(
                one.day(),
                one.machine(),
                one.project(),
                one.gpu(),
                one.deployment(),
                one.gpuSeconds() + other.gpuSeconds(),
                Amounts.plus(one.nanos(), other.nanos()));
    }

    private static Instant nextDay(Instant time) {
        return time.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    }

    @GET
    @Path("{id}")
    @Needs(Scope.READ)
    @Operation(summary = "Every interval that a machine was charged for, with its reason")
    public Explanation explain(@jakarta.ws.rs.PathParam("id") String id) {
        Machine machine = machines.find(caller, Inputs.uuid(id));
        return database.transact(sql -> {
            Prices prices = UsageRows.allPrices(sql);
            Instant now = sql.now();
            List<Charge> charges = new ArrayList<>();
            UsageRows.ofMachine(sql, machine.id())
                    .forEach(used -> charges.addAll(Ledger.charges(
                            used.usage(),
                            used.gpus(),
                            prices.of(used.gpu()),
                            used.usage().from(),
                            now)));
            long total = Ledger.total(charges);
            return new Explanation(
                    machine.id(),
                    charges.stream().map(ChargeView::of).toList(),
                    total,
                    Money.of(total),
                    money.currency());
        });
    }
}
