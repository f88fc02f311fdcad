package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.history.PastMachines;
import dev.outpost.support.history.StatementPlans;
import dev.outpost.support.history.StatementPlans.Executed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Compares the latency of calls on a database with a long history with that on an empty one. Also finds the statements that
 * touch more than 200 pages besides their results, and measures the bytes of a machine's history.
 *
 * @param machines number of ended machines; each has ten events
 * @param calls number of timed calls of each kind
 */
record LongPast(int machines, int calls) implements BackendPart {
    private static final int TENANTS = 100;
    private static final int EVENTS_OF_MACHINE = 10;
    private static final int WARM_UP = 30;
    private static final double P99 = 0.99;
    private static final double SLACK_MS = 10;
    private static final int PORT_LINE = 3;
    private static final long LOOK_NANOS = 1_000_000_000;

    /** The time after which the first housekeeping round of a new backend is done. */
    private static final long LOOPS_NANOS = 20_000_000_000L;

    /** A repeatable call, which returns after the answer. */
    private interface Call {
        void send() throws Exception;
    }

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        Path data = folder.resolve("past");
        try (MeasuredBackend empty = Paper.start(folder.resolve("empty"));
                MeasuredBackend past = Paper.start(data)) {
            try (Connection connection = connect(data)) {
                fill(connection, figures);
            }
            compare(empty, past, figures);
            explain(past, data, figures);
        }
    }

    private void fill(Connection connection, BiConsumer<String, Double> figures) throws SQLException {
        double before = number(connection, "SELECT pg_database_size(current_database())");
        new PastMachines(machines, machines * EVENTS_OF_MACHINE, TENANTS).fill(connection);
        String uncounted =
                "SELECT count(*) FROM (SELECT 1 FROM usages WHERE NOT counted AND to_at IS NOT NULL LIMIT 1) u";
        while (number(connection, uncounted) > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        PastMachines.settle(connection);
        double after = number(connection, "SELECT pg_database_size(current_database())");
        figures.accept("history_bytes_per_machine", (after - before) / machines);
    }

    private static double number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getDouble(1);
        }
    }

    private static Connection connect(Path data) throws IOException, SQLException {
        Path postgres = data.resolve("postgres");
        String port = Files.readAllLines(postgres.resolve("database").resolve("postmaster.pid"))
                .get(PORT_LINE)
                .strip();
        String password =
                Files.readString(postgres.resolve("database-password")).strip();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/outpost", "outpost", password);
    }

    // ---- calls

    private static Map<String, Call> calls(MeasuredBackend backend) {
        HttpClient http = HttpClient.newHttpClient();
        BackendClient client = backend.client();
        Map<String, Call> calls = new LinkedHashMap<>();
        for (String path : PastMachines.reads(Instant.now())) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(backend.address() + path))
                    .header("Authorization", "Bearer " + backend.key())
                    .build();
            // An empty database answers 404 to some calls.
            calls.put("GET " + path.replaceAll("[0-9a-f-]{36}", "ID").replaceAll("from=.*", "from&to"), () -> {
                HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() >= 500) {
                    throw new IOException(path + " answers with status " + answer.statusCode());
                }
            });
        }
        calls.put("POST /v1/machines:plan", () -> client.post("/v1/machines:plan", Map.of("gpu", "A100")));
        calls.put(
                "PUT /v1/machines/ID", () -> Paper.put(client, UUID.randomUUID().toString()));
        calls.put(
                "POST /v1/token-usage",
                () -> client.post(
                        "/v1/token-usage",
                        Map.of(
                                "id",
                                UUID.randomUUID().toString(),
                                "records",
                                List.of(Map.of(
                                        "keyId",
                                        backend.key().split("_")[1],
                                        "model",
                                        "chat",
                                        "at",
                                        Instant.now().toString(),
                                        "texts",
                                        1,
                                        "newTokens",
                                        1)))));
        return calls;
    }

    /** Compares both alternately, so that other load on this host affects both. */
    private void compare(MeasuredBackend empty, MeasuredBackend past, BiConsumer<String, Double> figures)
            throws Exception {
        Map<String, Call> others = calls(empty);
        System.out.printf("%-60s %10s %10s%n", "p99 in ms", "empty", "long past");
        int slower = 0;
        double worst = 0;
        for (Map.Entry<String, Call> call : calls(past).entrySet()) {
            Latencies before = new Latencies();
            Latencies after = new Latencies();
            for (int i = 0; i < WARM_UP + calls; i++) {
                boolean isTimed = i >= WARM_UP;
                time(others.get(call.getKey()), isTimed ? before : new Latencies());
                time(call.getValue(), isTimed ? after : new Latencies());
            }
            double atMax = Math.max(2 * before.quantile(P99), before.quantile(P99) + SLACK_MS);
            boolean isSlower = after.quantile(P99) > atMax;
            slower += isSlower ? 1 : 0;
            worst = Math.max(worst, after.quantile(P99) - before.quantile(P99));
            System.out.printf(
                    "%-60s %10.2f %10.2f%s%n",
                    call.getKey(), before.quantile(P99), after.quantile(P99), isSlower ? "  slower" : "");
        }
        figures.accept("history_slower_calls", (double) slower);
        figures.accept("history_worst_added_ms", worst);
    }

    private static void time(Call call, Latencies times) throws Exception {
        long start = System.nanoTime();
        call.send();
        times.add(System.nanoTime() - start);
    }

    // ---- statements

    /** Ends the old sessions first, because only new sessions explain their statements. */
    private static void explain(MeasuredBackend backend, Path data, BiConsumer<String, Double> figures)
            throws Exception {
        StatementPlans plans = new StatementPlans(data.resolve("postgres").resolve("database.log"));
        try (Connection connection = connect(data);
                Statement statement = connection.createStatement()) {
            StatementPlans.explain(connection);
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }
        List<Executed> executed = new ArrayList<>();
        for (Call call : calls(backend).values()) {
            sendAnyhow(call);
            executed.addAll(plans.read());
        }
        LockSupport.parkNanos(LOOPS_NANOS);
        executed.addAll(plans.read());
        List<Executed> excessive = StatementPlans.excessive(executed);
        excessive.forEach(System.out::println);
        figures.accept("history_statements", (double)
                executed.stream().map(Executed::statement).distinct().count());
        figures.accept("history_statements_over", (double) excessive.size());
    }

    /** Repeats a call, because each ended connection fails one call. */
    private static void sendAnyhow(Call call) throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            try {
                call.send();
            } catch (InterruptedException interrupted) {
                throw interrupted;
            } catch (Exception ignored) {
                LockSupport.parkNanos(LOOK_NANOS / 10);
            }
        }
    }
}
