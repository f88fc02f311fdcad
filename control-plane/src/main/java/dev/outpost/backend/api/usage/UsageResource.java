package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.machine.MachineOperations;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.usage.Charge;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.usage.BillRows.MachineDay;
import dev.outpost.backend.store.usage.BillRows.Position;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.UsageExplanation;
import dev.outpost.rest.usage.UsageExplanation.ChargeView;
import dev.outpost.rest.usage.UsageView;
import dev.outpost.rest.usage.UsageView.DayView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The costs of machines. Days are in UTC. */
@Path("/v1/usage")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "usage")
public class UsageResource extends ApiResource {
    private final MachineOperations machines;
    private final Money money;

    UsageResource(MachineOperations machines, Money money) {
        this.money = money;
        this.machines = machines;
    }

    private static DayView view(MachineDay row) {
        return new DayView(
                row.day(),
                row.machine(),
                row.project(),
                row.gpu(),
                row.deployment().orElse(null),
                row.seconds(),
                row.nanos(),
                Money.of(row.nanos()));
    }

    private static ChargeView view(Charge charge) {
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

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(
            summary = "Costs by machine and day; of this month unless days are given",
            description =
                    "Days are whole ones of UTC: from the one in which `from` is, and to the one in which `to` is.")
    public UsageView usage(
            @QueryParam("project") Optional<String> project,
            @QueryParam("from") Optional<String> from,
            @QueryParam("to") Optional<String> to,
            @BeanParam PageRequest request) {
        Optional<String> which = caller.projectFilter(project);
        Optional<Position> after = position(request);
        return database.read(sql -> {
            Instant now = sql.now();
            Window window = Window.of(from, to, now);
            Bill bill = Bill.of(sql, caller.organisation(), which, window.days(), now);
            Page<DayView> page = request.of(
                    bill.page(sql, after, request.rows()), UsageResource::view, row -> row.day() + " " + row.machine());
            long total = bill.total(sql);
            return new UsageView(
                    window.from(), window.to(), page.items(), page.next(), total, Money.of(total), money.currency());
        });
    }

    private static Optional<Position> position(PageRequest request) {
        return request.position(2, parts -> new Position(LocalDate.parse(parts[0]), UUID.fromString(parts[1])));
    }

    @GET
    @Path("{id}")
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Every interval that a machine was charged for, with its reason")
    public UsageExplanation explain(@jakarta.ws.rs.PathParam("id") String id) {
        Machine machine = machines.find(caller, Inputs.uuid(id));
        return transact(sql -> {
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
            return new UsageExplanation(
                    machine.id(),
                    charges.stream().map(UsageResource::view).toList(),
                    total,
                    Money.of(total),
                    money.currency());
        });
    }
}
