package dev.outpost.backend.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.seal.Sealed;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The tables of webhooks, and of what is sent to them. A delivery is put in by the transaction of its event. */
public final class WebhookRows {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private WebhookRows() {}

    /** Where events are sent. */
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

    /** How far a delivery is. */
    public enum State {
        PENDING,
        DELIVERED,
        DEAD
    }

    /** An event on its way to a webhook. */
    public record Delivery(
            long id,
            UUID webhook,
            UUID event,
            String type,
            String body,
            State state,
            int tries,
            String text,
            Instant created,
            Optional<Instant> due) {}

    /** An event as webhooks are told of it. */
    public record Told(UUID id, String organisation, Optional<String> project, String type, String body) {
        /** @param kind such as {@code machine}; {@code target} is the name of one */
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

    /** What the key of a webhook is sealed for. */
    public static String place(UUID webhook) {
        return "webhook/" + webhook;
    }

    private static final String TELL = "INSERT INTO webhook_deliveries (webhook, event, type, body, due_at)"
            + " SELECT w.id, ?, ?::text, ?, outpost_now() FROM webhooks w WHERE w.organisation = ? AND NOT w.paused"
            + " AND (w.project IS NULL OR w.project = ?::text) AND (cardinality(w.types) = 0 OR EXISTS"
            + " (SELECT 1 FROM unnest(w.types) t WHERE starts_with(?::text, t)))";

    /** Puts in a delivery for each webhook that the event is for. A webhook of a project hears of that project alone. */
    public static void tell(Sql sql, Told event) {
        sql.update(TELL, values(event).toArray());
    }

    /** The same by one statement with an insertion into another table. */
    static void tell(Sql sql, Told event, String insertion, Object... inserted) {
        List<Object> values = new ArrayList<>(List.of(inserted));
        values.addAll(values(event));
        sql.update("WITH inserted AS (" + insertion + ") " + TELL, values.toArray());
    }

    private static List<Object> values(Told event) {
        return List.of(event.id(), event.type(), event.body(), event.organisation(), event.project(), event.type());
    }

    // ---- webhooks

    public static Optional<Stored> find(Sql sql, UUID id) {
        return sql.one("SELECT * FROM webhooks WHERE id = ?", WebhookRows::read, id);
    }

    public static List<Stored> page(Sql sql, String organisation, Optional<String> project, String after, int limit) {
        return sql.query(
                "SELECT * FROM webhooks WHERE organisation = ? AND (?::text IS NULL OR project = ?) AND id::text > ?"
                        + " ORDER BY id::text LIMIT ?",
                WebhookRows::read,
                organisation,
                project,
                project,
                after,
                limit);
    }

    /** How many an organisation has. */
    public static int count(Sql sql, String organisation) {
        return sql.one(
                        "SELECT count(*)::int AS webhooks FROM webhooks WHERE organisation = ?",
                        row -> row.integer("webhooks"),
                        organisation)
                .orElse(0);
    }

    /** False where there is one of that id. */
    public static boolean insert(Sql sql, Stored row) {
        return sql.update(
                        "INSERT INTO webhooks (id, organisation, project, url, types, key_name, sealed, paused)"
                                + " VALUES (?, ?, ?::text, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                        row.id(),
                        row.organisation(),
                        row.project(),
                        row.url(),
                        row.types().toArray(String[]::new),
                        row.key().keyName(),
                        row.key().bytes(),
                        row.isPaused())
                == 1;
    }

    /** Writes what may change. */
    public static void update(Sql sql, Stored row) {
        sql.update(
                "UPDATE webhooks SET version = ?, url = ?, types = ?, paused = ?, key_name = ?, sealed = ? WHERE id = ?",
                row.version(),
                row.url(),
                row.types().toArray(String[]::new),
                row.isPaused(),
                row.key().keyName(),
                row.key().bytes(),
                row.id());
    }

    public static void remove(Sql sql, UUID id) {
        sql.update("DELETE FROM webhooks WHERE id = ?", id);
    }

    /** The loop that seals keys of webhooks again, by its name in {@link RowFailures}. */
    public static final String RESEAL_LOOP = "reseal-webhooks";

    /** The id of one whose key was sealed by another key than that one; locked. */
    public static Optional<UUID> sealedByAnother(Sql sql, String keyName) {
        return sql.one(
                "SELECT id FROM webhooks WHERE key_name <> ? AND " + RowFailures.notPaused(RESEAL_LOOP, "id::text")
                        + " LIMIT 1 FOR UPDATE SKIP LOCKED",
                row -> row.object("id", UUID.class),
                keyName);
    }

    /** Writes the same key under another one. */
    public static void reseal(Sql sql, UUID id, Sealed key) {
        sql.update("UPDATE webhooks SET key_name = ?, sealed = ? WHERE id = ?", key.keyName(), key.bytes(), id);
    }

    // ---- deliveries

    /** A delivery that was taken, and where it goes. */
    public record Claimed(Delivery delivery, Stored webhook) {}

    /** The loop that sends deliveries, by its name in {@link RowFailures}; its rows are organisations. */
    public static final String LOOP = "webhooks";

    /** Organisations that have deliveries to send now. The effort goes by the number of webhooks with deliveries, not by theirs. */
    public static List<String> organisationsDue(Sql sql) {
        return sql.query(
                "WITH RECURSIVE waiting AS ("
                        + "(SELECT webhook FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY webhook LIMIT 1)"
                        + " UNION ALL SELECT n.webhook FROM waiting w CROSS JOIN LATERAL"
                        + " (SELECT webhook FROM webhook_deliveries WHERE due_at IS NOT NULL AND webhook > w.webhook"
                        + " ORDER BY webhook LIMIT 1) n)"
                        + " SELECT DISTINCT h.organisation FROM waiting w JOIN webhooks h ON h.id = w.webhook WHERE EXISTS"
                        + " (SELECT 1 FROM webhook_deliveries d WHERE d.webhook = w.webhook"
                        + " AND d.due_at <= (SELECT outpost_now())) AND "
                        + RowFailures.notPaused(LOOP, "h.organisation"),
                row -> row.text("organisation"));
    }

    /** Takes the organisation's oldest delivery that is due. If it is not finished in that time, it is due again. */
    public static Optional<Claimed> claim(Sql sql, UUID token, Duration time, String organisation) {
        return sql.one(
                        "UPDATE webhook_deliveries SET lock_token = ?, tries = tries + 1,"
                                + " due_at = outpost_now() + ? * interval '1 millisecond' WHERE id ="
                                + " (SELECT d.id FROM webhooks w CROSS JOIN LATERAL (SELECT id, due_at FROM webhook_deliveries"
                                + " WHERE webhook = w.id AND due_at <= (SELECT outpost_now()) ORDER BY due_at LIMIT 1"
                                + " FOR UPDATE SKIP LOCKED) d WHERE w.organisation = ? ORDER BY d.due_at LIMIT 1) RETURNING *",
                        WebhookRows::readDelivery,
                        token,
                        time.toMillis(),
                        organisation)
                .map(delivery ->
                        new Claimed(delivery, find(sql, delivery.webhook()).orElseThrow()));
    }

    /** Writes how it went, where the token is still on it. */
    public static void finish(Sql sql, long id, UUID token, State state, Optional<Duration> again, String text) {
        sql.update(
                "UPDATE webhook_deliveries SET state = ?, text = ?, lock_token = NULL,"
                        + " due_at = outpost_now() + ?::bigint * interval '1 millisecond' WHERE id = ? AND lock_token = ?",
                state,
                text,
                again.map(Duration::toMillis),
                id,
                token);
    }

    /** Newest first, from before a number on. */
    public static List<Delivery> deliveries(Sql sql, UUID webhook, Optional<State> state, long before, int limit) {
        return sql.query(
                "SELECT * FROM webhook_deliveries WHERE webhook = ? AND (?::text IS NULL OR state = ?) AND id < ?"
                        + " ORDER BY id DESC LIMIT ?",
                WebhookRows::readDelivery,
                webhook,
                state,
                state,
                before,
                limit);
    }

    /** Sends it once more, with as many tries as a new one has; false where there is none. */
    public static boolean again(Sql sql, UUID webhook, long id) {
        return sql.update(
                        "UPDATE webhook_deliveries SET state = 'PENDING', tries = 0, due_at = outpost_now(), lock_token = NULL"
                                + " WHERE webhook = ? AND id = ?",
                        webhook,
                        id)
                == 1;
    }

    public static void forget(Sql sql, Instant before) {
        sql.update("DELETE FROM webhook_deliveries WHERE created_at < ? AND due_at IS NULL", before);
    }

    private static Stored read(Sql.Row row) throws SQLException {
        return new Stored(
                row.object("id", UUID.class),
                row.number("version"),
                row.text("organisation"),
                row.optionalText("project"),
                row.text("url"),
                row.texts("types"),
                new Sealed(row.text("key_name"), row.bytes("sealed")),
                row.flag("paused"),
                row.time("created_at"));
    }

    private static Delivery readDelivery(Sql.Row row) throws SQLException {
        return new Delivery(
                row.number("id"),
                row.object("webhook", UUID.class),
                row.object("event", UUID.class),
                row.text("type"),
                row.text("body"),
                State.valueOf(row.text("state")),
                row.integer("tries"),
                row.text("text"),
                row.time("created_at"),
                row.optionalTime("due_at"));
    }
}
