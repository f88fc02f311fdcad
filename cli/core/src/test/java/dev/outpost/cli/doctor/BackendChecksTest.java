package dev.outpost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BackendChecksTest {
    private static final String READINESS = """
            {"status": "UP", "checks": [
              {"name": "Database connections health check", "status": "UP", "data": {"<default>": "UP"}},
              {"name": "settings", "status": "UP", "data": {"OUTPOST_BACKEND_SEAL_KEY": "is not set, so jobs are refused"}}]}
            """;

    private static List<CheckResult> results(int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/q/health/ready", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort();
            return BackendChecks.run(() -> BackendAccess.of(address, "op_0123456789_" + "x".repeat(43)));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void missingSettingsAreShownWithARemedy() throws IOException {
        List<CheckResult> results = results(200, READINESS);
        assertEquals(
                List.of(CheckOutcome.OK, CheckOutcome.ABSENT),
                results.stream().map(CheckResult::outcome).toList());
        assertEquals(
                "OUTPOST_BACKEND_SEAL_KEY is not set, so jobs are refused",
                results.get(1).detail());
        assertTrue(results.get(1).remedy().startsWith("Set OUTPOST_BACKEND_SEAL_KEY at the backend"));
    }

    @Test
    void backendThatIsNotReadyIsAFailure() throws IOException {
        List<CheckResult> results = results(503, "{\"status\": \"DOWN\", \"checks\": []}");
        assertEquals(CheckOutcome.FAILED, results.getFirst().outcome());
        assertTrue(results.getFirst().detail().contains("503"), results.getFirst()::detail);
    }

    @Test
    void withoutABackendNothingIsAsked() {
        List<CheckResult> results = BackendChecks.run(() -> {
            throw new IllegalArgumentException("which backend?");
        });
        assertEquals(List.of(CheckResult.skipped("backend", "which backend?")), results);
    }
}
