package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.MetricLabels;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayManagementTest {
    @Test
    void countersAreServedAsPrometheusReadsThem() throws Exception {
        Counters counters = new Counters();
        assertTrue(counters.tryOpen(2));
        counters.passed();
        counters.moved(300);
        counters.refused(RefusalReason.NAME);
        try (RelayManagement management = RelayManagement.start("127.0.0.1", 0, counters);
                HttpClient client = HttpClient.newHttpClient()) {
            URI metrics = URI.create("http://127.0.0.1:" + management.port() + "/metrics");
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            assertTrue(answer.body().contains("\noutpost_relay_open 1\n"), answer::body);
            assertTrue(answer.body().contains("\noutpost_relay_bytes_total 300\n"), answer::body);
            assertTrue(answer.body().contains("\noutpost_relay_refused_total{reason=\"name\"} 1\n"), answer::body);
            assertTrue(answer.body().contains("\noutpost_relay_refused_total{reason=\"full\"} 0\n"), answer::body);
        }
    }

    @Test
    void thePageForOperatorsListsTheCounters() throws Exception {
        String page =
                Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "admin", "metrics.md"));
        assertEquals(MetricLabels.documented(page, "Relays"), MetricLabels.exported(new Counters().text()));
    }

    /** An unanswered probe would end the relay with all its sessions. */
    @Test
    void requestsThatNeverEndHoldUpNoProbe() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try (RelayManagement management = RelayManagement.start("127.0.0.1", 0, new Counters());
                HttpClient client = HttpClient.newHttpClient()) {
            for (int half = 0; half < 10; half++) {
                Socket socket = new Socket("127.0.0.1", management.port());
                halves.add(socket);
                socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
            }
            URI metrics = URI.create("http://127.0.0.1:" + management.port() + "/metrics");
            HttpRequest probe = HttpRequest.newBuilder(metrics).build();
            assertEquals(
                    200,
                    Await.result(
                                    "the probe is answered",
                                    client.sendAsync(probe, HttpResponse.BodyHandlers.discarding()))
                            .statusCode());
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }
}
