package dev.outpost.system.backend.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outpost.rest.client.BackendAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A backend with only the calls that a gateway makes. It has one deployment without replicas, and hangs on request. */
final class HangingBackend implements AutoCloseable {
    static final String KEY = "op_0123456789_" + "x".repeat(43);
    private static final String ORDERS =
            "{\"deployments\": [{\"name\": \"chat\", \"project\": \"default\", \"wanted\": 0, \"max\": 1, \"failures\": 0,"
                    + " \"text\": \"it starts\", \"replicas\": []}]}";

    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean isHanging;
    private volatile int held;

    private HangingBackend(HttpServer server) {
        this.server = server;
    }

    static HangingBackend start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            HangingBackend backend = new HangingBackend(server);
            server.setExecutor(backend.threads);
            server.createContext("/", backend::answer);
            server.start();
            return backend;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        boolean isAdmission = exchange.getRequestURI().getPath().endsWith(":admit");
        JsonNode report = mapper.readTree(exchange.getRequestBody().readAllBytes());
        if (!isAdmission) {
            held = report.path("deployments").path(0).path("held").asInt();
        }
        byte[] body = (isAdmission ? "{\"keyId\": \"k1\", \"billed\": \"default\"}" : ORDERS)
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        if (isHanging) {
            // The headers are sent, and nothing follows.
            exchange.getResponseBody().flush();
            hang();
        }
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void hang() {
        try {
            over.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes later answers begin but not end. */
    void hangFromNowOn() {
        isHanging = true;
    }

    /** The number of held requests that the gateway has reported. */
    int held() {
        return held;
    }

    BackendAccess access() {
        return BackendAccess.of("http://127.0.0.1:" + server.getAddress().getPort(), KEY);
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
