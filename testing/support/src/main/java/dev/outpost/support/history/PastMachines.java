package dev.outpost.support.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Fills the database of a backend with the remains of many ended machines.
 *
 * @param machines the number of machines
 * @param events the number of their events in all
 * @param tenants the number of organisations that share them; half of all machines belong to the organisation {@code default}
 */
public record PastMachines(int machines, int events, int tenants) {
    /** Fills a database that has the schema. Existing rows stay. */
    public void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET history.machines = " + machines);
            statement.execute("SET history.events = " + events);
            statement.execute("SET history.tenants = " + tenants);
            // The caller repeats its request if the server dies.
            statement.execute("SET synchronous_commit = off");
            for (String one : statements()) {
                statement.execute(one);
            }
            statement.execute("DROP TABLE past");
        }
    }

    /** Brings tables to the state in which autovacuum leaves old tables. */
    public static void settle(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE)");
        }
    }

    /** Calls of the API, as the operator sends them, that read ended machines, or lists that many ended machines could make slow. */
    public static List<String> reads(Instant now) {
        UUID machine = id("machine", 9_000);
        UUID job = id("job", 9_000);
        UUID webhook = id("webhook", "default");
        String month = "from=" + now.minus(Duration.ofDays(70)) + "&to=" + now.minus(Duration.ofDays(40));
        return List.of(
                "/v1/machines",
                "/v1/machines?project=side",
                "/v1/machines?failed=true",
                "/v1/machines?failed=true&project=side",
                "/v1/machines?ended=true",
                "/v1/machines?ended=true&project=side",
                "/v1/machines/" + machine,
                "/v1/machines/" + machine + "/events",
                "/v1/machines/" + machine + "/grants",
                "/v1/usage/" + machine,
                "/v1/usage",
                "/v1/usage?project=side",
                "/v1/usage?" + month,
                "/v1/token-usage",
                "/v1/token-usage?project=side",
                "/v1/token-usage?" + month,
                "/v1/jobs",
                "/v1/jobs?project=side",
                "/v1/jobs/" + job,
                "/v1/jobs/" + job + "/log",
                "/v1/jobs/" + job + "/artefacts",
                "/v1/jobs/" + job + "/artefact?path=weights",
                "/v1/audit",
                "/v1/keys",
                "/v1/projects",
                "/v1/quotas",
                "/v1/budgets",
                "/v1/deployments",
                "/v1/deployments/chat",
                "/v1/programs",
                "/v1/pools",
                "/v1/pools/warm",
                "/v1/prices",
                "/v1/organisations",
                "/v1/webhooks/" + webhook + "/deliveries",
                "/v1/webhooks/" + webhook + "/deliveries?state=DEAD",
                "/v1/webhooks/" + webhook + "/deliveries?state=PENDING",
                "/q/metrics",
                "/q/health/ready");
    }

    /** Returns the id that the statements draw. */
    private static UUID id(String kind, Object name) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest((kind + " " + name).getBytes(StandardCharsets.UTF_8));
            String hex = HexFormat.of().formatHex(hash);
            return UUID.fromString(hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String[] statements() {
        try (InputStream text = PastMachines.class.getResourceAsStream("history.sql")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*\n");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
