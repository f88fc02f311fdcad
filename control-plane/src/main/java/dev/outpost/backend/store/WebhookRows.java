package dev.outpost.backend.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.seal.Sealed;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.webhook.DeliveryState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The tables of webhooks and their deliveries. The transaction of an event inserts its deliveries. */
public final class WebhookRows {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int REMOVED_AT_ONCE = 200;

    /**
     * The order of deliveries by their numbers, as in the indexes of the deliveries of one webhook. With {@code id}
     * itself, PostgreSQL might scan the deliveries of all webhooks to find the deliveries of one webhook.
     */
    private static final String IN_ORDER = "(id + 0)";

    private WebhookRows() {}

    /** A webhook: the address to which events are sent. */
    public record Stored(
            UUID id,
            long version,
            String organisation,
            Optional<String> project,
            String url,
            List<String> types,
            Sealed key,
            boolean isPaused,
            Instant created) {}

    /** A delivery of an event to a webhook. */
    public record Delivery(
            long id,
            UUID webhook,
            UUID event,
            String type,
            String body,
            DeliveryState state,
            int tries,
            String text,
            Instant created,
            Optional<Instant> due) {}

    /** An event in the form that webhooks receive. */
    public record Told(UUID id, String organisation, Optional<String> project, String type, String body) {
        /**
         * @param kind the kind of the event's subject, such as {@code machine}; {@code target} is the name of the
         *     subject
         */
        public static Told of(
                String organisation,
                Optional<String> project,
                String type,
                Instant at,
                String kind,
                String target,
                String text) {
            UUID id = UUID.randomUUID();
            Map<String, String> body = new LinkedHashMap<>();
            body.put("id", id.toString());
            body.put("type", type);
            body.put("at", at.toString());
            body.put("organisation", organisation);
            project.ifPresent(name -> body.put("project", name));
            body.put("kind", kind);
            body.put("target", target);
            body.put("text", text);
            return new Told(id, organisation, project, type, json(body));
        }

        private static String json(Map<String, String> body) {
            try {
                return MAPPER.writeValueAsString(body);
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** Returns the place for which the key of a webhook is sealed. */
    public static String place(UUID webhook) {
        return "webhook/" + webhook;
    }

    private static final String TELL = "INSERT INTO webhook_deliveries (webhook, event, type, body, due_at)"
            + " SELECT w.id, ?, ?::text, ?, outpost_now() FROM webhooks w WHERE w.organisation = ? AND NOT w.paused"
            + " AND (w.project IS NULL OR w.project = ?::text) AND (cardinality(w.types) = 0 OR EXISTS"
            + " (SELECT 1 FROM unnest(w.types) t WHERE starts_with(?::text, t)))";

    /**
     * Inserts a delivery for each webhook of the event's organisation or project. A webhook of a project receives only events of that
     * project.
     */
    public static void enqueue(Sql sql, Told event) {
        sql.update(TELL, values(event).toArray());
    }

    /** Inserts an event's deliveries in one statement with an insertion into another table. */
    static void enqueue(Sql sql, Told event, String insertion, Object... inserted) {
        List<Object> values = new ArrayList<>(List.of(inserted));
        values.addAll(values(event));
        sql.update("WITH inserted AS (" + insertion + ") " + TELL, values.toArray());
    }

    private static List<Object> values(Told event) {
        return List.of(event.id(), event.type(), event.body(), event.organisation(), event.project(), event.type());
    }

    // ---- webhooks

    public static Optional<Stored> find(Sql sql, UUID id) {
        return sql.one("SELECT *, sealed AS bytes FROM webhooks WHERE id = ? AND removed_at IS NULL", Stored.class, id);
    }

    public static List<Stored> page(Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.page(
                Stored.class,
                "SELECT *, sealed AS bytes FROM webhooks",
                Filter.of("organisation = ? AND removed_at IS NULL", organisation)
                        .andIf(project, "project = ?")
                        .and("id::text > ?", after),
                "id::text",
                limit);
    }

    /** Returns the number of webhooks of an organisation. */
    public static int count(Sql sql, String organisation) {
        return sql.one(
                        "SELECT count(*)::int AS webhooks FROM webhooks WHERE organisation = ? AND removed_at IS NULL",
                        Integer.class,
                        organisation)
                .orElse(0);
    }

    /** Inserts a webhook. Returns false if the id is taken. */
    public static boolean insert(Sql sql, Stored row) {
        return sql.insert(
                        "webhooks",
                        Columns.of(row, "id, organisation, project, url, types, key_name, paused")
                                .and("sealed", row.key().bytes()),
                        "ON CONFLICT (id) DO NOTHING")
                == 1;
    }

    /** Writes the columns that may change. */
    public static void update(Sql sql, Stored row) {
        sql.change(
                "webhooks",
                Columns.of(row, "version, url, types, paused, key_name")
                        .and("sealed", row.key().bytes()),
                "id = ?",
                row.id());
    }

    /** Locks a webhook, so that no other transaction changes it. */
    public static void lock(Sql sql, UUID id) {
        sql.exists("SELECT 1 FROM webhooks WHERE id = ? FOR UPDATE", id);
    }

    /** Removes a webhook. Its deliveries are removed later if there are many. */
    public static void remove(Sql sql, UUID id) {
        if (removeDeliveries(sql, id, REMOVED_AT_ONCE) < REMOVED_AT_ONCE) {
            delete(sql, id);
        } else {
            sql.update("UPDATE webhooks SET paused = true, removed_at = outpost_now() WHERE id = ?", id);
        }
    }

    /** The name of the loop that seals keys of webhooks again, in {@link RowFailures}. */
    public static final String RESEAL_LOOP = "reseal-webhooks";

    /** Locks a webhook whose key another key sealed, and returns its id. */
    public static Optional<UUID> sealedByAnother(Sql sql, String keyName) {
        return sql.one(
                "SELECT id FROM webhooks WHERE key_name <> ? AND " + RowFailures.notPaused(RESEAL_LOOP, "id::text")
                        + " LIMIT 1 FOR UPDATE SKIP LOCKED",
                UUID.class,
                keyName);
    }

    /** Replaces the sealed key by the same key under another sealing key. */
    public static void reseal(Sql sql, UUID id, Sealed key) {
        sql.update("UPDATE webhooks SET key_name = ?, sealed = ? WHERE id = ?", key, id);
    }

    // ---- deliveries

    /** A claimed delivery and its webhook. */
    public record Claimed(Delivery delivery, Stored webhook) {}

    /** The name of the loop that sends deliveries. In {@link RowFailures}, the rows of this loop are organisations. */
    public static final String LOOP = "webhooks";

    /**
     * Returns the organisations with due deliveries. The effort grows with the number of webhooks with deliveries, not with the number of
     * deliveries.
     */
    public static List<String> organisationsDue(Sql sql) {
        return sql.query(
                "WITH RECURSIVE waiting AS ("
                        + "(SELECT webhook FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY webhook LIMIT 1)"
                        + " UNION ALL SELECT n.webhook FROM waiting w CROSS JOIN LATERAL"
                        + " (SELECT webhook FROM webhook_deliveries WHERE due_at IS NOT NULL AND webhook > w.webhook"
                        + " ORDER BY webhook LIMIT 1) n)"
                        + " SELECT DISTINCT h.organisation FROM waiting w JOIN webhooks h ON h.id = w.webhook WHERE h.removed_at IS NULL AND EXISTS"
                        + " (SELECT 1 FROM webhook_deliveries d WHERE d.webhook = w.webhook"
                        + " AND d.due_at <= (SELECT outpost_now())) AND "
                        + RowFailures.notPaused(LOOP, "h.organisation"),
                String.class);
    }

    /**
     * Claims the oldest due delivery of an organisation. If it is not finished within {@code time}, it is due again.
     */
    public static Optional<Claimed> claim(Sql sql, UUID token, Duration time, String organisation) {
        return sql.one(
                        "UPDATE webhook_deliveries SET lock_token = ?, tries = tries + 1,"
                                + " due_at = outpost_now() + ? * interval '1 millisecond' WHERE id ="
                                + " (SELECT d.id FROM webhooks w CROSS JOIN LATERAL (SELECT id, due_at FROM webhook_deliveries"
                                + " WHERE webhook = w.id AND due_at <= (SELECT outpost_now()) ORDER BY due_at LIMIT 1"
                                + " FOR UPDATE SKIP LOCKED) d WHERE w.organisation = ? AND w.removed_at IS NULL ORDER BY d.due_at LIMIT 1) RETURNING *",
                        Delivery.class,
                        token,
                        time,
                        organisation)
                .map(delivery ->
                        new Claimed(delivery, find(sql, delivery.webhook()).orElseThrow()));
    }

    /** Writes the outcome of a delivery, if it still has the token. */
    public static void finish(
            Sql sql, long id, UUID token, DeliveryState state, Optional<Duration> again, String text) {
        sql.update(
                "UPDATE webhook_deliveries SET state = ?, text = ?, lock_token = NULL,"
                        + " due_at = outpost_now() + ?::bigint * interval '1 millisecond' WHERE id = ? AND lock_token = ?",
                state,
                text,
                again,
                id,
                token);
    }

    /** Returns the deliveries before a number, newest first. */
    public static List<Delivery> deliveries(
            Sql sql, UUID webhook, Optional<DeliveryState> state, long before, int limit) {
        Filter filter =
                Filter.of("webhook = ?", webhook).andIf(state, "state = ?").and(IN_ORDER + " < ?", before);
        return sql.page(Delivery.class, "SELECT * FROM webhook_deliveries", filter, IN_ORDER + " DESC", limit);
    }

    /**
     * Makes a delivery due again, with as many tries as a new delivery. Returns false if the delivery does not exist.
     */
    public static boolean again(Sql sql, UUID webhook, long id) {
        return sql.update(
                        "UPDATE webhook_deliveries SET state = 'PENDING', tries = 0, due_at = outpost_now(), lock_token = NULL"
                                + " WHERE webhook = ? AND id = ?",
                        webhook,
                        id)
                == 1;
    }

    public static Retention.Step forget(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "webhook_deliveries", "due_at IS NULL", "created_at", span);
    }

    /** Removes the deliveries of removed webhooks, and then these webhooks. */
    public static Retention.Step forgetRemoved(Sql sql, Retention.Span span) {
        Optional<UUID> removed = sql.one(
                "SELECT id FROM webhooks WHERE removed_at < ? ORDER BY removed_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                UUID.class,
                span.before());
        if (removed.isPresent() && removeDeliveries(sql, removed.get(), span.limit()) < span.limit()) {
            delete(sql, removed.get());
        }
        return new Retention.Step(removed.isPresent() ? span.limit() : 0, span.from());
    }

    private static void delete(Sql sql, UUID id) {
        sql.planForValues();
        sql.update("DELETE FROM webhooks WHERE id = ?", id);
    }

    private static int removeDeliveries(Sql sql, UUID webhook, int limit) {
        return Retention.removeOf(sql, "webhook_deliveries", "webhook", webhook, IN_ORDER, limit);
    }
}
