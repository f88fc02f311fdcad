package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.fleet.Totals;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.support.history.PastMachines;
import dev.outpost.support.history.StatementPlans;
import dev.outpost.support.history.StatementPlans.Executed;
import dev.outpost.support.tests.Await;
import io.restassured.response.Response;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The cost of statements does not grow with the history. On a database with the history of 10,000 machines, the test calls every
 * operation, runs every loop, and reads the plans that PostgreSQL has executed. This takes more than a minute.
 */
@Tag("full")
class HistoryTest {
    private static final PastMachines PAST = new PastMachines(10_000, 100_000, 10);

    /** The number of pages of a list that are read. */
    private static final int PAGES = 3;

    private static final int UNAVAILABLE = 503;

    /** Parts of statements that identify the loops. */
    private static final List<String> LOOPS =
            List.of("SELECT organisation FROM budgets UNION", "DELETE FROM shown_keys");

    private final TestDatabase database = TestDatabase.withRealClock();
    private final List<BackendProcess> backends = new ArrayList<>();

    @AfterEach
    void close() {
        backends.forEach(BackendProcess::close);
    }

    private static void readPages(Tenant operator, String path) {
        String next = "";
        for (int page = 0; page < PAGES && next != null; page++) {
            String cursor = next.isEmpty() ? "" : (path.contains("?") ? "&" : "?") + "cursor=" + next;
            Response answer = read(operator, path + cursor);
            next = next(path, answer);
        }
    }

    /** A computer under load may not have a free connection in time; a client sends the same request again. */
    private static Response read(Tenant operator, String path) {
        Response answer = Await.present(
                path + " is read",
                () -> Optional.of(operator.get(path).extract().response())
                        .filter(response -> response.statusCode() != UNAVAILABLE));
        assertEquals(200, answer.statusCode(), () -> path + " answers with " + answer.asString());
        return answer;
    }

    private static String next(String path, Response answer) {
        if (!answer.contentType().contains("json")) {
            return null;
        }
        try {
            return new ObjectMapper()
                    .readTree(answer.asByteArray())
                    .path("next")
                    .textValue();
        } catch (IOException failure) {
            throw new AssertionError(path + " answers with " + answer.asString(), failure);
        }
    }

    /** Calls each operation as the operator, whose organisation has the longest history. */
    private static void callAll(Tenant operator) {
        Operations operations = new Operations(operator);
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
        }
        new Totals(database.database(), new FairShare(Duration.ofHours(24))).round();
        // A plan for the values of a call, and the generic plan that PostgreSQL changes to.
        List<Executed> executed = new ArrayList<>(call("plan_cache_mode = auto"));
        executed.addAll(call("plan_cache_mode = force_generic_plan"));
        String tooMuch = StatementPlans.excessive(executed).stream()
                .map(Executed::toString)
                .collect(Collectors.joining("\n"));
        assertEquals("", tooMuch);
    }

    /** The statements that a new backend executes while every operation is called and each of its loops runs. */
    private List<Executed> call(String setting) throws IOException, SQLException {
        try (Connection connection = database.source().getConnection()) {
            // Housekeeping runs hourly, and autovacuum more often.
            PastMachines.settle(connection);
            StatementPlans.explain(connection, setting);
        }
        StatementPlans plans = new StatementPlans(TestDatabase.log());
        List<Executed> executed = new ArrayList<>();
        BackendProcess backend = BackendProcess.start(database);
        backends.add(backend);
        Tenant operator = Tenant.operator(backend);
        callAll(operator);
        PastMachines.reads(Instant.now()).forEach(path -> readPages(operator, path));
        Await.until("each loop has run", () -> {
            try {
                executed.addAll(plans.read());
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
            return LOOPS.stream()
                    .allMatch(part ->
                            executed.stream().anyMatch(one -> one.statement().contains(part)));
        });
        backend.stop();
        return executed;
    }
}
