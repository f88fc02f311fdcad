package dev.outpost.runtime.server.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.runner.RunnerBegin;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A runner repeats requests until they succeed, and reports the reason. */
class RunnerClientTest {
    private static final String RUN = """
            {"run": {"job": "00000000-0000-0000-0000-000000000001", "number": 1, "gpu": "A100", "program": "hash", "programName": "a.jar",
            "programSize": 1, "arguments": [], "environment": {}, "timeoutMillis": 1, "host": "127.0.0.1", "port": 1, "certificate": "hash"}}""";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private RunnerClient client(int port) {
        URI backend = URI.create("http://127.0.0.1:" + port);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new RunnerClient(
                new BackendClient(new BackendAccess(backend, "jr_token", Optional.empty())),
                new OutageLog(backend, out, System::nanoTime));
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void answerThatIsNoBackendsIsAskedForAgainAndPrinted() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger requests = new AtomicInteger();
        server.createContext("/v1/runner/begin", exchange -> {
            byte[] body = RUN.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(requests.getAndIncrement() == 0 ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            RunnerClient client = client(server.getAddress().getPort());
            RunnerBegin begin = new RunnerBegin("r", "hash");
            assertEquals(1, client.call(calls -> calls.begin(begin)).run().number());
            assertTrue(printed().contains(": it answers with status 503; it is tried again"), printed());
            assertTrue(printed().contains("answers again"), printed());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void closedPortIsPrinted() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        RunnerClient client = client(closed);
        Thread runner = Thread.ofVirtual().start(() -> {
            try {
                client.call(calls -> calls.begin(new RunnerBegin("r", "hash")));
            } catch (RunnerClient.RefusedException failure) {
                assertTrue(failure.getMessage().contains("told to end"), failure.getMessage());
            }
        });
        Await.until(
                this::printed,
                () -> printed().startsWith("job: cannot reach the backend at http://127.0.0.1:" + closed + ": "));
        runner.interrupt();
        runner.join();
    }
}
