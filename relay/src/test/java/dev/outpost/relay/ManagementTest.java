package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class ManagementTest {
    @Test
    void countersAreServedAsPrometheusReadsThem() throws Exception {
        Counters counters = new Counters();
        assertTrue(counters.tryOpen(2));
        counters.passed();
        counters.moved(300);
        counters.refused(Refusal.NAME);
        try (Management management = Management.start("127.0.0.1", 0, counters);
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
}
