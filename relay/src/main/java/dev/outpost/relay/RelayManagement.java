package dev.outpost.relay;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves a relay's counters over HTTP, for Prometheus and for probes. */
final class RelayManagement implements AutoCloseable {
    static {
        // The JDK's server reads these properties once. A request is one line, and probes and Prometheus need a few
        // connections.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        System.setProperty("jdk.httpserver.maxConnections", "256");
    }

    private final HttpServer server;
    private final ExecutorService threads;

    private RelayManagement(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    static RelayManagement start(String host, int port, Counters counters) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.createContext("/metrics", exchange -> {
            byte[] text = counters.text().getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            try (exchange) {
                exchange.getResponseBody().write(text);
            }
        });
        // With the default of one thread, a request that never ends would block the answers to probes.
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.start();
        return new RelayManagement(server, threads);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
