package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many requests with a cache that has room for a few, some of whose clients vanish, leave no page behind. */
@Tag("full")
@Timeout(900)
class ManyRequestsTest {
    private static final int CLIENTS = 16;
    private static final int REQUESTS = 10_000;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void tenThousandRequestsLeakNoPage() throws Exception {
        try (ServingProcess server = ServingProcess.start(
                        "--model",
                        "text=" + TestModels.text(),
                        "--texts",
                        "8",
                        "--text-tokens",
                        "128",
                        "--cache-tokens",
                        "256");
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> asked = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(client);
                asked.add(clients.submit(() -> ask(server, random)));
            }
            int answered = 0;
            for (Future<Integer> one : asked) {
                answered += one.get();
            }
            assertTrue(answered > REQUESTS / 2, "answered: " + answered);
            while (value(server, "vllm:num_requests_running") + value(server, "vllm:num_requests_waiting") > 0) {
                Thread.onSpinWait();
            }
            assertEquals(0, value(server, "vllm:kv_cache_usage_perc"));
            assertTrue(value(server, "vllm:num_preemptions_total") > 0, "pages never ran out");
        }
    }

    /** How many were answered; the clients of one in eight vanish. */
    private int ask(ServingProcess server, Random random) throws Exception {
        int answered = 0;
        for (int request = 0; request < REQUESTS / CLIENTS; request++) {
            String body = "{\"model\": \"text\", \"prompt\": \"%s\", \"max_tokens\": %d, \"ignore_eos\": true}"
                    .formatted("x".repeat(1 + random.nextInt(20)), 1 + random.nextInt(60));
            if (random.nextInt(8) == 0) {
                vanish(server, body);
            } else {
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(URI.create(server.api() + "/completions"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertEquals(200, answer.statusCode(), answer::body);
                answered++;
            }
        }
        return answered;
    }

    private static void vanish(ServingProcess server, String body) throws IOException {
        URI address = URI.create(server.root());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(
                            ("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                                            + body.length() + "\r\n\r\n" + body)
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            socket.setSoLinger(true, 0);
        }
    }

    private double value(ServingProcess server, String metric) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create(server.root() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(metric + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
