package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.support.history.PastMachines;
import dev.outpost.support.history.StatementPlans;
import dev.outpost.support.history.StatementPlans.Executed;
import dev.outpost.support.tests.Await;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The cost of a statement does not grow with what is over. A database has the past of 10,000 machines; every operation is called and
 * every loop runs, and the plans that PostgreSQL has executed are read.
 */
class HistoryTest {
    private static final PastMachines PAST = new PastMachines(10_000, 100_000, 10);

    /** Pages that a statement may touch besides its results. */
    private static final long BUFFERS = 200;

    /** Pages for each row that it gives or changes: one of the table, those of indexes, and one of another table. */
    private static final long BUFFERS_OF_ROW = 4;

    /** Pages of a list that are read. */
    private static final int PAGES = 3;

    /** Statements that read a whole table, as is asked for. */
    private static final List<String> WHOLE = List.of("COPY ");

    /** Parts of statements by which loops are told. */
    private static final List<String> LOOPS = List.of("SELECT organisation FROM budgets UNION", "DELETE FROM shown_keys");

    private final TestDatabase database = TestDatabase.withRealClock();
    private BackendProcess backend;

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
    }

    private static UUID past(String kind, Object name) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest((kind + " " + name).getBytes(StandardCharsets.UTF_8));
            String hex = HexFormat.of().formatHex(hash);
            return UUID.fromString(hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Lists and rows of what is over. */
    private static List<String> reads() {
        UUID machine = past("machine", 9_000);
        UUID job = past("job", 9_000);
        UUID webhook = past("webhook", "default");
        Instant now = Instant.now();
        String month = "from=" + now.minus(Duration.ofDays(70)) + "&to=" + now.minus(Duration.ofDays(40));
        return List.of(
                "/v1/machines",
                "/v1/machines?project=side",
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

    private static void readPages(Tenant operator, String path) {
        String next = "";
        for (int page = 0; page < PAGES && next != null; page++) {
            String cursor = next.isEmpty() ? "" : (path.contains("?") ? "&" : "?") + "cursor=" + next;
            Response answer = operator.get(path + cursor).extract().response();
            assertEquals(200, answer.statusCode(), path);
            next = next(path, answer);
        }
    }

    private static String next(String path, Response answer) {
        if (!answer.contentType().contains("json")) {
            return null;
        }
        try {
            return new ObjectMapper().readTree(answer.asByteArray()).path("next").textValue();
        } catch (IOException malformed) {
            throw new AssertionError(path + " answers with " + answer.asString(), malformed);
        }
    }

    /** Each operation as its owner, who is the operator, since the organisation has the longest past. */
    private static void callAll(Tenant operator) {
        Operations operations = new Operations();
        for (Operations.Row row : Operations.rows()) {
            Response answer = operations.send(row.caller().equals("nobody") ? null : operator, row, "past");
            if (row.operation().equals("POST /v1/keys")) {
                operations.variables().put("key", answer.path("id"));
            }
            if (row.operation().equals("PUT /v1/machines/{id}")) {
                operator.await(operations.variables().get("machine"), "READY");
            }
        }
    }

    @Test
    void statementsTouchFewPagesHoweverLongThePastIs() throws IOException, SQLException {
        try (Connection connection = database.source().getConnection()) {
            PAST.fill(connection);
            StatementPlans.explain(connection);
        }
        StatementPlans plans = new StatementPlans(TestDatabase.log());
        List<Executed> executed = new ArrayList<>();
        backend = BackendProcess.start(database);
        Tenant operator = Tenant.operator(backend);
        callAll(operator);
        reads().forEach(path -> readPages(operator, path));
        Await.until("each loop has run", () -> {
            try {
                executed.addAll(plans.read());
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
            return LOOPS.stream().allMatch(part -> executed.stream().anyMatch(one -> one.statement().contains(part)));
        });
        String offenders = StatementPlans.worst(executed).values().stream()
                .filter(one -> WHOLE.stream().noneMatch(one.statement()::startsWith))
                .filter(one -> one.buffers() > BUFFERS + BUFFERS_OF_ROW * one.rows())
                .sorted(Comparator.comparing(Executed::buffers).reversed())
                .map(one -> String.format(
                        Locale.ROOT, "%d buffers, %d rows: %s%n%s%n", one.buffers(), one.rows(), one.statement(), one.plan()))
                .collect(Collectors.joining("\n"));
        assertEquals("", offenders);
    }
}
