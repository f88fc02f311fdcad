package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.cli.Outpost;
import dev.outpost.cli.backend.job.ProgramJarTest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests a login by a device, and jobs, with one server as issuer and backend. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class JobsAndLoginTest {
    private static final String KEY = "op_abcdefghij_0123456789012345678901234567890123456789012";
    private static final String JOB = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String LOG = "epoch 1\nepoch 2\n";

    @TempDir
    Path home;

    private final String previousHome = System.getProperty("user.home");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger polls = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(System.getenv("OUTPOST_API") == null, "OUTPOST_API is set, and goes before what a login keeps");
        System.setProperty("user.home", home.toString());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        System.setProperty("user.home", previousHome);
        server.stop(0);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
        String path = exchange.getRequestURI().getPath();
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        byte[] answer = answer(exchange, path, body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private String answer(HttpExchange exchange, String path, String body) {
        return switch (path.replaceFirst("/v1/files/.*", "/v1/files").replaceFirst("(/v1/jobs)/[^/:]+", "$1/ID")) {
            case "/v1/identity" -> """
                    {"issuer": "%1$s", "clientId": "outpost", "deviceEndpoint": "%1$s/device", "tokenEndpoint": "%1$s/token",
                      "authorizationEndpoint": "", "endSessionEndpoint": ""}
                    """.formatted(address());
            case "/device" ->
                "{\"device_code\": \"d1\", \"user_code\": \"ABCD-EFGH\", \"verification_uri\": \"https://login/device\","
                        + " \"interval\": 0, \"expires_in\": 60}";
            case "/token" ->
                polls.incrementAndGet() < 3 ? "{\"error\": \"authorization_pending\"}" : "{\"id_token\": \"x.y.z\"}";
            case "/v1/identity/login" -> """
                    {"key": "%s", "organisation": "acme", "project": null, "subject": "ada", "scopes": ["READ"],
                      "expires": "2026-01-01T00:00:00Z"}
                    """.formatted(KEY);
            case "/v1/files" -> file(exchange, body);
            case "/v1/jobs/ID" -> """
                    {"id": "%s", "version": 9, "phase": "SUCCEEDED", "text": "it ended", "since": "2026-01-01T00:00:00Z",
                      "name": "app", "project": "default", "owner": "ada", "gpu": "any", "program": "ab", "programName": "app.jar",
                      "arguments": [], "secrets": [], "retries": 0, "timeout": "PT24H", "attempt": 1, "exitCode": 0,
                      "created": "2026-01-01T00:00:00Z"}
                    """.formatted(JOB);
            case "/v1/jobs/ID/log" -> log(exchange);
            default -> "{\"items\": []}";
        };
    }

    private static String file(HttpExchange exchange, String body) {
        String query = exchange.getRequestURI().getQuery();
        long size = Long.parseLong(query.replaceAll(".*size=(\\d+).*", "$1"));
        long next = Long.parseLong(query.replaceAll(".*from=(\\d+).*", "$1")) + body.length();
        return "{\"sha256\": \"ab\", \"size\": " + size + ", \"next\": " + next + ", \"complete\": " + (next == size)
                + "}";
    }

    private static String log(HttpExchange exchange) {
        int from = Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll(".*from=(\\d+).*", "$1"));
        int to = Math.min(LOG.length(), from + 5);
        exchange.getResponseHeaders().set("Outpost-Next", Integer.toString(to));
        exchange.getResponseHeaders().set("Outpost-Ended", Boolean.toString(to == LOG.length()));
        return LOG.substring(from, to);
    }

    private int run(String... arguments) {
        return Outpost.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void loginByADeviceKeepsTheKeyThatTheTokenIsExchangedFor() throws IOException {
        assertEquals(0, run("login", address(), "--oidc"), err::toString);
        assertTrue(out.toString().contains("Open https://login/device and enter ABCD-EFGH"), out::toString);
        assertEquals(3, polls.get());
        assertTrue(Files.readString(home.resolve(".outpost").resolve("login")).contains(KEY));
        assertTrue(asked.stream().anyMatch(one -> one.contains("/v1/identity/login") && one.contains("x.y.z")));
        assertFalse(out.toString().contains("x.y.z"), "tokens are not shown");
    }

    /** One that is sent in three parts. */
    private static void writeProgram(Path file) throws IOException {
        byte[] ballast = new byte[290_000];
        new Random(0).nextBytes(ballast);
        Files.write(
                file,
                ProgramJarTest.jar("app.Main", Map.of("app/Main.class", ProgramJarTest.program(), "ballast", ballast)));
    }

    @Test
    void submittedProgramIsSentInPartsAndItsLogFollowed() throws IOException {
        assertEquals(0, run("login", address(), "--oidc"), err::toString);
        Path jar = home.resolve("app.jar");
        writeProgram(jar);
        asked.clear();
        int code = run(
                "submit",
                "--gpu",
                "A100",
                "--retries",
                "1",
                "--env",
                "A=b",
                "--follow",
                "--",
                jar.toString(),
                "--epochs",
                "2");
        assertEquals(0, code, err::toString);
        assertEquals(3, asked.stream().filter(one -> one.contains("/v1/files/")).count());
        String job = asked.stream()
                .filter(one -> one.startsWith("PUT /v1/jobs/"))
                .findFirst()
                .orElseThrow();
        assertTrue(job.contains("\"arguments\":[\"--epochs\",\"2\"]") && job.contains("\"retries\":1"), job);
        assertTrue(job.contains("\"environment\":{\"A\":\"b\"}"), job);
        assertTrue(out.toString().replace("\r", "").endsWith(LOG), out::toString);
    }

    @Test
    void whatIsNoJarIsRefusedBeforeAnythingIsSent() {
        assertEquals(0, run("login", address(), "--oidc"), err::toString);
        asked.clear();
        assertEquals(1, run("submit", "--", home.resolve("app.sh").toString()));
        assertTrue(err.toString().contains("expected a jar"), err::toString);
        assertTrue(asked.isEmpty(), asked::toString);
    }
}
