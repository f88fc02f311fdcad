package dev.outpost.relay;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Serves a relay's counters over HTTP, for Prometheus and for probes. */
final class Management implements AutoCloseable {
    private final HttpServer server;

    private Management(HttpServer server) {
        this.server = server;
    }

    static Management start(String host, int port, Counters counters) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.createContext("/metrics", exchange -> {
            byte[] text = counters.text().getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            try (exchange) {
                exchange.getResponseBody().write(text);
            }
        });
        server.start();
        return new Management(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
