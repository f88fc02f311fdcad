package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of the ledger: the times for which machines were charged, and the prices of GPUs. */
public final class UsageRows {
    private UsageRows() {}

    /** A time for which a machine was charged, and the machine's owner. */
    public record Used(UUID machine, String project, String gpu, int gpus, UsageInterval usage) {}

    /** Opens or closes an interval by the same rules as {@link Ledger#usages}. */
    static void follow(Sql sql, Machine machine, MachineEvent event) {
        if (event.phase().isMetered()) {
            sql.update(
                    "INSERT INTO usages (machine, organisation, project, gpu, gpus, from_at, began)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (machine) WHERE to_at IS NULL DO NOTHING",
                    machine.id(),
                    machine.request().organisation(),
                    machine.request().project(),
                    machine.gpu(),
                    machine.request().allGpus(),
                    Ledger.second(event.at()),
                    event.type());
        } else {
            sql.update(
                    "UPDATE usages SET to_at = greatest(from_at, ?), ended = ? WHERE machine = ? AND to_at IS NULL",
                    Ledger.second(event.at()),
                    event.type(),
                    machine.id());
        }
    }

    /** Returns the charged times of an organisation, or of one of its projects, that overlap a window. */
    public static List<Used> overlapping(
            Sql sql, String organisation, Optional<String> project, Instant from, Instant to) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("from_at < ? AND (to_at IS NULL OR to_at > ?)", to, from);
        return sql.query("SELECT * FROM usages" + filter.text() + " ORDER BY from_at, id", Used.class, filter.values());
    }

    public static List<Used> ofMachine(Sql sql, UUID machine) {
        return sql.query("SELECT * FROM usages WHERE machine = ? ORDER BY id", Used.class, machine);
    }

    public static List<Used> ofMachines(Sql sql, List<UUID> machines) {
        return sql.query("SELECT * FROM usages WHERE machine = ANY (?) ORDER BY id", Used.class, machines);
    }

    // ---- prices

    public static List<Price> prices(Sql sql) {
        return sql.query("SELECT * FROM prices ORDER BY gpu, from_at", UsageRows::price);
    }

    /** Returns the prices after a position, ordered by kind and date. */
    public static List<Price> prices(Sql sql, String afterGpu, Instant afterFrom, int limit) {
        return sql.query(
                "SELECT * FROM prices WHERE (gpu, from_at) > (?, ?) ORDER BY gpu, from_at LIMIT ?",
                UsageRows::price,
                afterGpu,
                afterFrom,
                limit);
    }

    /** Returns all prices, by kind of GPU. */
    public static Prices allPrices(Sql sql) {
        return new Prices(prices(sql));
    }

    /** Sets a price from a date on. Replaces a price of the same date. */
    public static void set(Sql sql, Price price) {
        sql.put(
                "prices",
                Columns.of(price, "gpu, from_at, per_hour").and("nanos_per_second", price.nanosPerSecond()),
                "gpu, from_at");
    }

    /** Removes the price of a date. Returns false if there is none. */
    public static boolean removePrice(Sql sql, String gpu, Instant from) {
        return sql.update("DELETE FROM prices WHERE gpu = ? AND from_at = ?", gpu, from) == 1;
    }

    private static Price price(Sql.Row row) throws SQLException {
        Price rounded = new Price(row.text("gpu"), row.time("from_at"), row.number("nanos_per_second"));
        BigDecimal exact = row.decimal("per_hour");
        boolean isOfThisVersion = exact != null
                && new Price(rounded.gpu(), rounded.from(), exact).nanosPerSecond() == rounded.nanosPerSecond();
        return isOfThisVersion ? new Price(rounded.gpu(), rounded.from(), exact) : rounded;
    }
}
