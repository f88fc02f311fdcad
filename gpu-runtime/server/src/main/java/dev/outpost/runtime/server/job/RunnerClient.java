package dev.outpost.runtime.server.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.channel.http.HttpBodies;
import dev.outpost.channel.http.Pace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Asks the control plane. A call is repeated for as long as the control plane does not answer, so a run outlives it; why it does not
 * answer is printed. Every call may be repeated.
 */
final class RunnerClient {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** The largest program or data file of a job in bytes; they are held in memory. */
    private static final long MAX_OF_AN_ANSWER = Integer.MAX_VALUE;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FAILURE = 500;

    private final URI address;
    private final String token;
    private final HttpClient http;
    private final OutageLog outages;

    RunnerClient(URI address, String token, Optional<SSLContext> trust, OutageLog outages) {
        this.address = address;
        this.token = token;
        this.outages = outages;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5));
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    JsonNode post(String path, Map<String, ?> body) {
        return post(path, body, () -> {});
    }

    /** @param asking run before each attempt */
    JsonNode post(String path, Map<String, ?> body, Runnable asking) {
        try {
            HttpRequest request = request(path)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(body)))
                    .build();
            return parse(persist(request, asking));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Sends a part of something that grows at its end; where the next part begins. */
    long append(String path, Map<String, String> parameters, long from, byte[] part) {
        StringBuilder query = new StringBuilder("?from=" + from);
        parameters.forEach((name, value) ->
                query.append('&').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        byte[] answer = persist(request(path + query)
                .header("Content-Type", "application/octet-stream")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(part))
                .build());
        return parse(answer).path("next").asLong();
    }

    byte[] get(String path) {
        return persist(request(path).GET().build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address.toString().replaceAll("/+$", "") + "/v1/runner/" + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + token);
    }

    private byte[] persist(HttpRequest request) {
        return persist(request, () -> {});
    }

    private byte[] persist(HttpRequest request, Runnable asking) {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                asking.run();
                byte[] answer = send(request);
                outages.answered();
                return answer;
            } catch (UnansweredException unanswered) {
                outages.failed(unanswered.getMessage());
            }
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    /** @throws UnansweredException where it is to be asked again */
    private byte[] send(HttpRequest request) throws UnansweredException {
        try {
            HttpResponse<byte[]> response = HttpBodies.send(
                    http, request, HttpResponse.BodyHandlers.ofByteArray(), Pace.DATA, MAX_OF_AN_ANSWER);
            int status = response.statusCode();
            if (status == TOO_MANY_REQUESTS || status >= FAILURE) {
                throw new UnansweredException("it answers with status " + status);
            }
            if (status >= 400) {
                throw new RefusedException(parse(response.body()).path("detail").asText("status " + status));
            }
            return response.body();
        } catch (IOException failure) {
            throw new UnansweredException(OutageLog.text(failure));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException("the runner was told to end");
        }
    }

    static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RefusedException("the runner was told to end");
        }
    }

    private static JsonNode parse(byte[] body) {
        try {
            return body.length == 0 ? MAPPER.createObjectNode() : MAPPER.readTree(body);
        } catch (IOException ignored) {
            return MAPPER.createObjectNode();
        }
    }

    /** There was no answer to a request, or none of the control plane's. */
    private static final class UnansweredException extends Exception {
        private static final long serialVersionUID = 1;

        UnansweredException(String why) {
            super(why);
        }
    }

    /** The control plane does not want this. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why);
        }
    }
}
