package dev.outpost.backend.api.machine;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.UsageRows;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** The costs of machines so far. */
@ApplicationScoped
public class Costs {

    /** The cost of each machine, in billionths of the currency's unit. */
    record OfMachines(Map<UUID, Long> nanos) {
        long of(Machine machine) {
            return nanos.getOrDefault(machine.id(), 0L);
        }
    }

    OfMachines of(Sql sql, List<Machine> machines) {
        if (machines.isEmpty()) {
            return new OfMachines(Map.of());
        }
        List<UsageRows.Used> used =
                UsageRows.ofMachines(sql, machines.stream().map(Machine::id).toList());
        Prices prices = UsageRows.allPrices(sql);
        Instant now = sql.now();
        return new OfMachines(used.stream()
                .collect(Collectors.groupingBy(
                        UsageRows.Used::machine,
                        Collectors.reducing(0L, use -> nanos(use, prices, now), Amounts::plus))));
    }

    private static long nanos(UsageRows.Used use, Prices prices, Instant now) {
        return Ledger.total(Ledger.charges(
                use.usage(), use.gpus(), prices.of(use.gpu()), use.usage().from(), now));
    }
}
