package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.TokenPrice;
import dev.outpost.backend.model.usage.TokenUse;
import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of the tokens and costs of texts. */
public final class TokenRows {
    /** The time for which a batch that is sent again is recognized, and for which a shown key is remembered. */
    public static final Duration KNOWN = Duration.ofDays(7);

    private TokenRows() {}

    /** The outcome of a batch. */
    public enum Receipt {
        NEW,
        REPEATED,
        /** Another batch has its id. */
        OTHER
    }

    /**
     * Records a batch as received. If two callers send the same batch at the same time, the second waits for the
     * first.
     */
    public static Receipt receive(Sql sql, String organisation, UUID id, byte[] hash) {
        sql.update(
                "DELETE FROM token_batches WHERE organisation = ? AND id = ? AND received_at < ?",
                organisation,
                id,
                sql.now().minus(KNOWN));
        int added = sql.update(
                "INSERT INTO token_batches (organisation, id, hash) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                organisation,
                id,
                hash);
        if (added == 1) {
            return Receipt.NEW;
        }
        boolean isSame = sql.one(
                        "SELECT hash = ? AS same FROM token_batches WHERE organisation = ? AND id = ?",
                        Boolean.class,
                        hash,
                        organisation,
                        id)
                .orElse(false);
        return isSame ? Receipt.REPEATED : Receipt.OTHER;
    }

    /** Returns an SQL sum that is limited to the largest number of its column, as in {@link dev.outpost.backend.model.usage.Amounts}. */
    private static String bounded(String sum) {
        return "least(" + sum + ", " + Long.MAX_VALUE + ")::bigint";
    }

    /**
     * Adds the tokens that a key used on a day, and their cost. Rows that older versions wrote are for one hour
     * instead.
     */
    public static void add(Sql sql, String organisation, String project, String key, TokenUse use, long nanos) {
        sql.update(
                "INSERT INTO token_usages AS u (organisation, project, key_id, model, hour, texts, prompt_tokens,"
                        + " cached_tokens, new_tokens, seconds, nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (organisation, project, key_id, model, hour) DO UPDATE SET"
                        + Stream.of("texts", "prompt_tokens", "cached_tokens", "new_tokens", "seconds", "nanos")
                                .map(column -> " " + column + " = "
                                        + bounded("u." + column + "::numeric + excluded." + column))
                                .collect(Collectors.joining(",")),
                organisation,
                project,
                key,
                use.model(),
                use.at().truncatedTo(ChronoUnit.DAYS),
                use.texts(),
                use.promptTokens(),
                use.cachedTokens(),
                use.newTokens(),
                use.seconds(),
                nanos);
    }

    /** The tokens of a model that a key has used, and their cost. */
    public record Used(String project, String key, TokenUse use, long nanos) {}

    /** The last row of a page of a bill. */
    public record Position(Instant hour, String project, String key, String model) {
        static Position of(Used used) {
            return new Position(
                    used.use().at(), used.project(), used.key(), used.use().model());
        }
    }

    /**
     * Returns the token usage of some days after a position, ordered by time, project, key and model; of all projects
     * if {@code project} is empty.
     */
    public static List<Used> page(
            Sql sql,
            String organisation,
            Optional<String> project,
            BillRows.Days days,
            Optional<Position> after,
            int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("hour >= ?", days.from().atStartOfDay(ZoneOffset.UTC).toInstant())
                .and("hour < ?", days.to().atStartOfDay(ZoneOffset.UTC).toInstant());
        after.ifPresent(last -> filter.and("(hour, project, key_id, model) > (?, ?, ?, ?)", last));
        return sql.page(
                Used.class, "SELECT *, hour AS at FROM token_usages", filter, "hour, project, key_id, model", limit);
    }

    /** Returns the cost of all texts in a range of days. */
    public static long nanos(Sql sql, String organisation, Optional<String> project, BillRows.Days days) {
        return Amounts.plus(
                BillRows.sum(sql, organisation, project, days).tokenNanos(),
                sql.one(
                                "SELECT " + bounded("coalesce(sum(nanos - counted_nanos), 0)")
                                        + " AS nanos FROM (" + TotalRows.UNCOUNTED_TEXTS
                                        + ") u WHERE (?::text IS NULL OR project = ?) AND hour >= ? AND hour < ?",
                                Long.class,
                                organisation,
                                project,
                                project,
                                days.from().atStartOfDay(ZoneOffset.UTC).toInstant(),
                                days.to().atStartOfDay(ZoneOffset.UTC).toInstant())
                        .orElse(0L));
    }

    // ---- keys that were shown

    /** Records that a gateway was shown a key, so that the gateway may bill the key's requests. */
    public static void shown(Sql sql, String gatewayKey, String key) {
        sql.update(
                "INSERT INTO shown_keys AS s (gateway_key, key_id, shown_at) VALUES (?, ?, outpost_now())"
                        + " ON CONFLICT (gateway_key, key_id) DO UPDATE SET shown_at = excluded.shown_at"
                        + " WHERE s.shown_at < excluded.shown_at - interval '1 hour'",
                gatewayKey,
                key);
    }

    /**
     * True if a gateway was recently shown this key. The gateway is identified by its present or its previous key.
     */
    public static boolean wasShown(Sql sql, String gatewayKey, String key) {
        return sql.exists(
                "SELECT 1 FROM shown_keys WHERE key_id = ? AND shown_at > outpost_now() - ? * interval '1 second'"
                        + " AND (gateway_key = ? OR gateway_key IN (SELECT id FROM keys WHERE replaced_by = ?))",
                key,
                KNOWN.toSeconds(),
                gatewayKey,
                gatewayKey);
    }

    public static Retention.Step forgetShown(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "shown_keys", "true", "shown_at", span);
    }

    /** Removes old use of tokens. The totals already contain this use. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "token_usages", "NOT uncounted", "hour", span);
    }

    /** Removes batches that need not be recognized any more. */
    public static Retention.Step forgetBatches(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "token_batches", "true", "received_at", span);
    }

    // ---- prices

    public static List<TokenPrice> prices(Sql sql) {
        return sql.query(
                "SELECT model, from_at, prompt_nanos AS prompt, cached_nanos AS cached, new_nanos AS generated,"
                        + " nanos_per_second AS second FROM token_prices ORDER BY model, from_at",
                TokenPrice.class);
    }

    /** Sets a price from a date on. Replaces a price of the same date. */
    public static void set(Sql sql, TokenPrice price) {
        sql.put(
                "token_prices",
                Columns.of(price, "model, from_at")
                        .and("prompt_nanos", price.prompt())
                        .and("cached_nanos", price.cached())
                        .and("new_nanos", price.generated())
                        .and("nanos_per_second", price.second()),
                "model, from_at");
    }

    /** Removes the prices of a model from a date on. Returns false if there are none. */
    public static boolean removePrice(Sql sql, String model, Instant from) {
        return sql.update("DELETE FROM token_prices WHERE model = ? AND from_at = ?", model, from) == 1;
    }
}
