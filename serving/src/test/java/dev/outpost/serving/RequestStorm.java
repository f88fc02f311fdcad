package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.OutputStream;
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

/** Concurrent requests of many clients, some of which disappear during their request. */
final class RequestStorm {
    /** One in this number of requests comes from a client that disappears. */
    private static final int VANISHING = 8;

    private final ServingProcess server;
    private final int maxTokens;
    private final HttpClient http = HttpClient.newHttpClient();

    /** @param maxTokens the most tokens of an answer */
    RequestStorm(ServingProcess server, int maxTokens) {
        this.server = server;
        this.maxTokens = maxTokens;
    }

    /** Returns the number of answered requests. Every request whose client stays must be answered. */
    int send(int clients, int requestsOfClient) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(clients)) {
            List<Future<Integer>> asked = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                Random random = new Random(client);
                asked.add(pool.submit(() -> ask(random, requestsOfClient)));
            }
            int answered = 0;
            for (Future<Integer> one : asked) {
                answered += one.get();
            }
            return answered;
        }
    }

    private int ask(Random random, int requests) throws Exception {
        int answered = 0;
        for (int request = 0; request < requests; request++) {
            String body = "{\"model\": \"text\", \"prompt\": \"%s\", \"max_tokens\": %d, \"ignore_eos\": true}"
                    .formatted("x".repeat(1 + random.nextInt(20)), 1 + random.nextInt(maxTokens));
            if (random.nextInt(VANISHING) == 0) {
                vanish(body);
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

    private void vanish(String body) throws IOException {
        try (Socket socket = post(server, body)) {
            socket.setSoLinger(true, 0);
        }
    }

    /** A request for a completion whose answer is not read. */
    static Socket post(ServingProcess server, String body) throws IOException {
        return post(server, "", body);
    }

    /** @param headers whole lines, each with its end */
    static Socket post(ServingProcess server, String headers, String body) throws IOException {
        URI address = URI.create(server.root());
        Socket socket = new Socket(address.getHost(), address.getPort());
        OutputStream out = socket.getOutputStream();
        out.write(("POST /v1/completions HTTP/1.1\r\nHost: x\r\n" + headers
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return socket;
    }

    /** Waits until nothing runs or waits, and requires that no block is used then. */
    void requireNoBlockLeft() throws Exception {
        Await.until(
                "nothing runs or waits",
                () -> metric("vllm:num_requests_running") + metric("vllm:num_requests_waiting") == 0);
        assertEquals(0, metric("vllm:kv_cache_usage_perc"));
    }

    /** The sum over all models. */
    double metric(String name) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create(server.root() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
