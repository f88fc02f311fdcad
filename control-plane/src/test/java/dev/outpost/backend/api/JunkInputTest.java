package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any call refuses any random body with a problem document; no call fails with a server error or shows a stack trace. */
class JunkInputTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> BODIES = List.of(
            "{",
            "null",
            "{\"\": null}",
            "{\"gpu\": 7, \"life\": \"P1Y\", \"priority\": 1e99, \"allowed\": -9223372036854775809}",
            "{\"scopes\": [null], \"expires\": \"31.12.2026\", \"role\": \"\", \"state\": \"GONE\"}",
            "",
            "[]",
            "7",
            "\"text\"",
            "{\"name\": {\"deep\": [1, 2]}}",
            "{\"name\": \"\\u0000\"}",
            "{\"perHour\": \"NaN\", \"by\": \"PT9999999999H\", \"tokenSha256\": \"\", \"machines\": 99999999999}",
            "[".repeat(2_000));

    private static final List<String> NAMES = List.of("%00", "x", "..%2f..", "a%20b", "%F0%9F%98%80", "0".repeat(300));

    private static final String QUERY =
            "?cursor=%00&limit=x&from=1&to=%7B&project=%27%3B--&after=x&wait=-1&ended=perhaps&resource=%24&gpu=%0A";

    private record Call(String method, String path) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** All calls of the API's own document. */
    static Stream<Call> calls() {
        Map<String, Map<String, ?>> paths = document().getMap("paths");
        List<Call> calls = new ArrayList<>();
        paths.forEach((path, methods) -> methods.keySet().stream()
                .filter(List.of("get", "put", "post", "delete")::contains)
                .filter(method -> !path.equals("/v1/events"))
                .forEach(method -> calls.add(new Call(method, path))));
        return calls.stream();
    }

    private static JsonPath document() {
        return Tenant.operator().get("/q/openapi?format=json").extract().jsonPath();
    }

    @Test
    void documentListsAllOperations() {
        assertTrue(calls().count() > 40, () -> calls().toList().toString());
    }

    @Test
    void junkInParametersIsAProblemAndNoFailure() throws InterruptedException, ExecutionException {
        send(NAMES.subList(0, 2), BODIES.subList(0, 5));
    }

    /** About a thousand. */
    @Test
    @Tag("full")
    void junkInBodiesIsAProblemAndNoFailure() throws InterruptedException, ExecutionException {
        send(NAMES, BODIES);
    }

    /** Many at once. */
    private static void send(List<String> names, List<String> bodies) throws InterruptedException, ExecutionException {
        List<Future<?>> sent = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            calls().forEach(call -> sent.add(threads.submit(() -> sendJunk(call, names, bodies))));
        }
        for (Future<?> one : sent) {
            one.get();
        }
    }

    private static void sendJunk(Call call, List<String> names, List<String> bodies) {
        for (String name : names) {
            String path = call.path().replaceAll("\\{[^}]*}", name);
            assertFine(call, send(call, path + QUERY, "{}"));
            assertFine(call, send(call, path, "{}"));
        }
        for (String body : bodies) {
            assertFine(call, send(call, call.path().replaceAll("\\{[^}]*}", "junk"), body));
        }
    }

    private static HttpResponse<String> send(Call call, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(BackendProcess.shared().address() + path))
                .header("Authorization", "Bearer " + BackendProcess.ADMIN.text())
                .header("Content-Type", "application/json")
                .method(call.method().toUpperCase(Locale.ROOT), HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(call + " " + path, failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void assertFine(Call call, HttpResponse<String> answer) {
        int status = answer.statusCode();
        String text = call + ": " + status + " " + answer.uri() + " " + answer.body();
        assertTrue(status < 500, text);
        assertFalse(answer.body().contains("Exception") || answer.body().contains("\tat "), text);
        if (status >= 400 && !answer.body().isEmpty()) {
            assertEquals(
                    Optional.of("application/problem+json"),
                    answer.headers().firstValue("Content-Type").map(type -> type.split(";")[0]),
                    text);
            JsonPath problem = new JsonPath(answer.body());
            assertTrue(problem.get("code") != null && problem.get("detail") != null, text);
        }
    }
}
