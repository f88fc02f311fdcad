package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.TestDatabase;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A backend becomes ready when the operator's key and the first organisation exist, and does not refuse its keys before. */
class BackendStartupTest {
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Optional<Integer> status(String address, String path) {
        try {
            return Optional.of(given().baseUri(address)
                    .header("Authorization", "Bearer " + BackendProcess.ADMIN.text())
                    .get(path)
                    .statusCode());
        } catch (Exception ignored) {
            return Optional.empty();
        }
    }

    @Test
    void readyOnlyAfterTheBootstrap() throws IOException, SQLException {
        int port = freePort();
        String address = "http://127.0.0.1:" + port;
        TestDatabase database = TestDatabase.withRealClock();
        CompletableFuture<BackendProcess> backend;
        try (Connection connection = database.source().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE organisations");
            backend = CompletableFuture.supplyAsync(
                    () -> BackendProcess.start(database, Map.of("OUTPOST_BACKEND_PORT", Integer.toString(port))));
            TestDatabase.beforeTheEnd(() -> backend.join().stop());
            try {
                checkEarlyCalls(address);
            } finally {
                connection.rollback();
            }
        }
        try (BackendProcess started = backend.join()) {
            Await.until("it is ready", () -> status(address, "/q/health/ready").equals(Optional.of(200)));
            assertEquals(Optional.of(200), status(started.address(), "/v1/machines"));
        }
    }

    private static void checkEarlyCalls(String address) {
        assertEquals(503, Await.present("it answers", () -> status(address, "/q/health/ready")));
        given().baseUri(address)
                .header("Authorization", "Bearer " + BackendProcess.ADMIN.text())
                .get("/v1/machines")
                .then()
                .statusCode(503)
                .header("Retry-After", "1")
                .body("retryable", equalTo(true));
    }
}
