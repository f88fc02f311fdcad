package dev.outpost.system.backend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Receives traces as a collector does, by OTLP over HTTP, and keeps each message unchanged. */
final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    private OtlpReceiver(HttpServer server) {
        this.server = server;
    }

    static OtlpReceiver start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
            OtlpReceiver receiver = new OtlpReceiver(server);
            server.createContext("/v1/traces", receiver::take);
            server.start();
            return receiver;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            messages.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String[] variables() {
        return Stream.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "http/protobuf",
                        "OTEL_BSP_SCHEDULE_DELAY",
                        "200",
                        "QUARKUS_OTEL_BSP_SCHEDULE_DELAY",
                        "200ms")
                .toArray(String[]::new);
    }

    /**
     * Returns true if a service has sent a span of that name in a message that also contains that trace; searches for the bytes of names
     * and ids.
     */
    boolean has(String service, String span, byte[] trace) {
        String id = new String(trace, StandardCharsets.ISO_8859_1);
        return messages.stream()
                .anyMatch(message -> message.contains(service) && message.contains(span) && message.contains(id));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
