package dev.outpost.backend.api;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventsApiTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Tenant tenant = Tenant.create();

    /** The events that a listener receives. */
    private static final class Listener implements AutoCloseable {
        private final InputStream body;
        private final BufferedReader lines;
        private String lastId = "";

        Listener(Tenant tenant, String query) throws IOException, InterruptedException {
            HttpResponse<InputStream> response = HTTP.send(
                    HttpRequest.newBuilder(URI.create(BackendProcess.shared().address() + "/v1/events" + query))
                            .header("Authorization", "Bearer " + tenant.key())
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertEquals(200, response.statusCode());
            body = response.body();
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /** Waits for the next event of a kind, and returns its data. */
        String next(String kind) throws IOException {
            String name = "";
            String data = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.startsWith("id:")) {
                    lastId = line.substring("id:".length()).strip();
                } else if (line.startsWith("data:")) {
                    data = line.substring("data:".length()).strip();
                } else if (line.isEmpty() && name.equals(kind)) {
                    return data;
                }
            }
            throw new AssertionError("the stream has ended");
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    @Test
    void streamIsInOrderAndResumesAtItsCursor() throws IOException, InterruptedException {
        String id;
        String cursor;
        try (Listener listener = new Listener(tenant, "")) {
            listener.next("bookmark");
            id = tenant.start();
            String first = listener.next("machine");
            assertTrue(first.contains("\"type\":\"CREATED\"") && first.contains(id), first);
            cursor = listener.lastId;
            String second = listener.next("machine");
            assertTrue(second.contains("\"type\":\"ADMITTED\""), second);
        }
        tenant.await(id, "READY");
        List<String> types = new ArrayList<>();
        try (Listener again = new Listener(tenant, "?cursor=" + cursor)) {
            while (types.stream().noneMatch(data -> data.contains("\"type\":\"READY\""))) {
                types.add(again.next("machine"));
            }
        }
        assertTrue(types.getFirst().contains("\"type\":\"ADMITTED\""), types::toString);
    }

    @Test
    void eventsOfAnotherTenantAreNotStreamed() throws IOException, InterruptedException {
        Tenant other = Tenant.create();
        try (Listener listener = new Listener(tenant, "")) {
            listener.next("bookmark");
            String theirs = other.start();
            other.await(theirs, "READY");
            String own = tenant.start();
            String heard = listener.next("machine");
            assertTrue(heard.contains(own), heard);
            assertFalse(heard.contains(theirs), heard);
        }
    }

    @Test
    void streamOfARevokedKeyEnds() throws IOException, InterruptedException {
        var made = tenant.post("/v1/keys", Map.of("name", "listener", "scopes", List.of("READ")))
                .statusCode(201)
                .extract();
        try (Listener listener = new Listener(new Tenant(tenant.name(), made.path("key")), "")) {
            listener.next("bookmark");
            tenant.delete("/v1/keys/" + made.path("id")).statusCode(204);
            AssertionError ended = assertThrows(AssertionError.class, () -> {
                while (true) {
                    listener.next("bookmark");
                }
            });
            assertEquals("the stream has ended", ended.getMessage());
        }
    }

    @Test
    void malformedCursorIsRefused() {
        tenant.get("/v1/events?cursor=yesterday").statusCode(422).body("code", equalTo("invalid"));
    }

    @Test
    void cursorBeforeRemovedEventsIsGone() {
        BackendProcess.shared().moveHorizon(5);
        try {
            tenant.get("/v1/events?cursor=4-1").statusCode(410).body("code", equalTo("gone"));
        } finally {
            BackendProcess.shared().moveHorizon(0);
        }
    }
}
