package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.channel.http.HttpBodies;
import dev.outpost.channel.http.Pace;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.LoginApi;
import dev.outpost.rest.tenant.IdentityView;
import dev.outpost.rest.tenant.LoginRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Logs in by the issuer of a backend in a browser on any device (OAuth 2.0 Device Authorization Grant, RFC 8628). */
final class DeviceLogin {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final long MAX_OF_AN_ANSWER = 1 << 20;
    private static final int INTERVAL_SECONDS = 5;
    private static final int SLOW_DOWN_SECONDS = 5;
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";

    /** A placeholder: the calls of a login ignore the key. */
    private static final String NO_KEY = "nobody-has-logged-in-yet";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();
    private final PrintWriter out;

    DeviceLogin(PrintWriter out) {
        this.out = out;
    }

    /** Logs a person in. Returns the backend's address and the person's key. */
    BackendAccess login(
            String address, @Nullable Path authority, @Nullable String organisation, @Nullable String project) {
        BackendClient backend =
                new BackendClient(BackendAccess.of(address, NO_KEY).withAuthority(authority));
        LoginApi calls = new LoginApi(backend);
        IdentityView identity = calls.identity();
        if (identity.deviceEndpoint().isEmpty()) {
            throw new IllegalStateException("login: the issuer " + identity.issuer()
                    + " has no login by device; take a key from the dashboard, and log in by that");
        }
        String client = identity.clientId();
        JsonNode asked =
                post(identity.deviceEndpoint(), Map.of("client_id", client, "scope", "openid email profile groups"));
        out.println("Open " + asked.path("verification_uri").asText() + " and enter "
                + asked.path("user_code").asText());
        out.flush();
        String token = await(identity.tokenEndpoint(), client, asked);
        String key = calls.login(new LoginRequest(token, organisation, project)).key();
        return BackendAccess.of(address, key).withAuthority(authority);
    }

    private String await(String endpoint, String client, JsonNode asked) {
        Map<String, String> question = Map.of(
                "grant_type",
                GRANT,
                "client_id",
                client,
                "device_code",
                asked.path("device_code").asText());
        long seconds = asked.path("interval").asLong(INTERVAL_SECONDS);
        long deadline = System.nanoTime()
                + Duration.ofSeconds(asked.path("expires_in").asLong(600)).toNanos();
        while (System.nanoTime() < deadline) {
            pause(seconds);
            JsonNode answer = post(endpoint, question);
            if (answer.hasNonNull("id_token")) {
                return answer.path("id_token").asText();
            }
            String error = answer.path("error").asText();
            if (error.equals("slow_down")) {
                seconds += SLOW_DOWN_SECONDS;
            } else if (!error.equals("authorization_pending")) {
                throw new IllegalStateException("login: the issuer refused it: " + shown(error));
            }
        }
        throw new IllegalStateException("login: nobody entered the code in time; try again");
    }

    private static String shown(String error) {
        return error.isEmpty() ? "it gave no ID token" : error.replaceAll("[^a-z_]", "");
    }

    /** Posts a form. Returns the answer, even if it is a refusal. */
    private JsonNode post(String endpoint, Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        try {
            return MAPPER.readTree(HttpBodies.send(
                            http,
                            HttpRequest.newBuilder(URI.create(endpoint))
                                    .timeout(ANSWER)
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .header("Accept", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString(),
                            Pace.DATA.within(ANSWER),
                            MAX_OF_AN_ANSWER)
                    .body());
        } catch (IOException failure) {
            throw new IllegalStateException(
                    "login: the issuer at " + endpoint + " does not answer: " + failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("login: it was interrupted");
        }
    }

    private static void pause(long seconds) {
        try {
            Thread.sleep(Duration.ofSeconds(seconds));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("login: it was interrupted");
        }
    }
}
