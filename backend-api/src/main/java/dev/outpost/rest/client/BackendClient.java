package dev.outpost.rest.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.channel.Backoff;
import dev.outpost.channel.CertificateFailure;
import dev.outpost.channel.http.HttpBodies;
import dev.outpost.channel.http.Pace;
import dev.outpost.channel.http.StalledException;
import dev.outpost.rest.Page;
import dev.outpost.rest.ProblemBody;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a backend and reads its answers. Thread-safe.
 *
 * <p>A request that is not answered within its time fails, and the next request makes a new connection: several
 * replicas may be behind one address, and a kept connection would lead to the silent replica again.
 */
public final class BackendClient {
    private static final ObjectMapper MAPPER = BackendJson.mapper();

    /**
     * The request timeout. It is longer than the half minute for which a backend delays the answer while nothing
     * changes.
     */
    private static final Duration ANSWER = Duration.ofSeconds(40);

    /** The maximum size of an answer that is held in memory, in bytes. */
    private static final long MAX_OF_AN_ANSWER = 256L << 20;

    private static final int BUFFER = 64 * 1024;

    /** The longest silence of a stream of logs. It is a day, because a busy machine may log nothing for hours. */
    private static final Duration LOGS = Duration.ofDays(1);

    /** The longest outage, in request timeouts. With more than two, one silent replica does not use up the time. */
    private static final int TIMEOUTS_OF_AN_OUTAGE = 3;

    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final BackendAccess access;
    private final HttpConnections connections;
    private final Duration answer;
    private final OptionalLong expected;

    /** @throws IllegalArgumentException if the file of a private authority cannot be used */
    public BackendClient(BackendAccess access) {
        this(
                access,
                new HttpConnections(access.authority().map(Authority::context).orElse(null)),
                ANSWER,
                OptionalLong.empty());
    }

    private BackendClient(BackendAccess access, HttpConnections connections, Duration answer, OptionalLong expected) {
        this.access = access;
        this.connections = connections;
        this.answer = answer;
        this.expected = expected;
    }

    /** Returns a client with another request timeout, which is 40 seconds by default. It covers the whole answer. */
    public BackendClient within(Duration time) {
        return new BackendClient(access, connections, time, expected);
    }

    /**
     * Returns a client whose changes are refused, with the code {@code changed-since}, if the changed thing has another
     * version than {@code version} by then.
     *
     * @param version the version that the caller has read; 0 if the thing must not exist yet
     */
    public BackendClient expecting(long version) {
        return new BackendClient(access, connections, answer, OptionalLong.of(version));
    }

    /** Returns a client of the backend that this process is configured with; see {@link BackendAccess#configured}. */
    public static BackendClient configured() {
        return new BackendClient(BackendAccess.configured());
    }

    public BackendAccess access() {
        return access;
    }

    // ---- untyped calls, for tests and benchmarks; other callers use classes such as MachinesApi

    public JsonNode get(String path) {
        return get(path, JsonNode.class);
    }

    public JsonNode put(String path, Map<String, ?> body) {
        return put(path, body, JsonNode.class);
    }

    public JsonNode post(String path, Map<String, ?> body) {
        return post(path, body, JsonNode.class);
    }

    public void delete(String path) {
        delete((Object) path);
    }

    public JsonNode putBytes(String path, byte[] bytes) {
        return putBytes(path, bytes, JsonNode.class);
    }

    public Slice slice(String path) {
        return slice((Object) path);
    }

    // ---- the calls of classes such as MachinesApi; a path is a text or a query

    <T> T get(Object path, Class<T> type) {
        return ask(request(path).GET().build(), MAPPER.constructType(type));
    }

    <T> T put(Object path, Object body, Class<T> type) {
        return ask(request(path).PUT(json(body)).build(), MAPPER.constructType(type));
    }

    /** @param body null for an object without fields */
    <T> T post(Object path, @Nullable Object body, Class<T> type) {
        return ask(request(path).POST(json(body)).build(), MAPPER.constructType(type));
    }

    void delete(Object path) {
        ask(request(path).DELETE().build(), MAPPER.constructType(JsonNode.class));
    }

    /** Returns the items of all pages of a list. */
    <T> List<T> all(Query list, Class<T> type) {
        return first(list, type, Integer.MAX_VALUE);
    }

    /** Returns the first items of a list, at most {@code count}. */
    <T> List<T> first(Query list, Class<T> type, int count) {
        JavaType pages = MAPPER.getTypeFactory().constructParametricType(Page.class, type);
        List<T> all = new ArrayList<>();
        Page<T> page;
        do {
            page = ask(request(list).GET().build(), pages);
            all.addAll(page.items());
            list.with("cursor", page.next());
        } while (page.next() != null && all.size() < count);
        return all.subList(0, Math.min(count, all.size()));
    }

    /**
     * A part of a log or file.
     *
     * @param next the offset of the next part
     * @param isEnded true if this is the last part
     */
    public record Slice(byte[] bytes, long next, boolean isEnded) {}

    /** Reads a part of a log or file. */
    Slice slice(Object path) {
        HttpResponse<byte[]> response = whole(
                request(path)
                        .header("Accept", "text/plain, application/octet-stream")
                        .GET()
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 400) {
            throw problem(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
        }
        return new Slice(
                response.body(),
                response.headers().firstValueAsLong("Outpost-Next").orElse(0),
                response.headers()
                        .firstValue("Outpost-Ended")
                        .map("true"::equals)
                        .orElse(false));
    }

    <T> T putBytes(Object path, byte[] bytes, Class<T> type) {
        return ask(
                request(path)
                        .setHeader("Content-Type", "application/octet-stream")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes))
                        .build(),
                MAPPER.constructType(type));
    }

    /** Returns the lines of an answer as they arrive. Closing the stream ends the request. */
    InputStream open(Object path) {
        return open(path, "text/plain", Pace.STREAM.within(LOGS));
    }

    private InputStream open(Object path, String accept, Pace pace) {
        HttpResponse<InputStream> response =
                send(request(path).header("Accept", accept).GET().build(), pace);
        if (response.statusCode() >= 400) {
            try (InputStream body = response.body()) {
                throw problem(response.statusCode(), new String(body.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException failure) {
                throw unreachable(failure);
            }
        }
        return response.body();
    }

    /**
     * Writes all rows of the backend to a file. An incomplete download never gets the file's name.
     *
     * @param received called with the number of bytes that have arrived
     * @throws IOException if the file cannot be written
     */
    public void backup(Path file, LongConsumer received) throws IOException {
        download("/v1/backup", file, received);
    }

    /** Downloads a file. A download that stalls for a whole request timeout is an outage. */
    void download(String path, Path file, LongConsumer received) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (InputStream body = open(path, "*/*", Pace.DATA.within(answer))) {
            copy(body, part, received);
            Files.move(part, file);
        } catch (IOException failure) {
            if (failure instanceof StalledException || failure.getCause() instanceof StalledException) {
                throw unreachable("the download stalled for " + text(answer), failure);
            }
            throw failure;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void copy(InputStream body, Path file, LongConsumer received) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] buffer = new byte[BUFFER];
            long done = 0;
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                out.write(buffer, 0, count);
                done += count;
                received.accept(done);
            }
        }
    }

    /**
     * Repeats a request until there is an answer, at most for the time of an outage: three request timeouts.
     *
     * @param question the request, which can be repeated without harm
     */
    public <T> T persist(Supplier<T> question) {
        Backoff.Pauses pauses = BACKOFF.withTimeout(outage()).begin();
        while (true) {
            try {
                return question.get();
            } catch (BackendException failure) {
                if (!failure.isRetryable() || !sleep(pauses)) {
                    throw failure;
                }
            }
        }
    }

    /** Returns the time for which {@link #persist} repeats a request. */
    public Duration outage() {
        return answer.multipliedBy(TIMEOUTS_OF_AN_OUTAGE);
    }

    private static boolean sleep(Backoff.Pauses pauses) {
        try {
            return pauses.sleep();
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private HttpRequest.Builder request(Object path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        access.address().resolve(access.address().getRawPath() + path))
                .timeout(answer)
                .header("Authorization", "Bearer " + access.key())
                .header("Content-Type", "application/json");
        expected.ifPresent(version -> request.header(
                version == 0 ? "If-None-Match" : "If-Match", version == 0 ? "*" : "\"" + version + "\""));
        // Adds the headers of the program's trace, if the program has set up OpenTelemetry.
        GlobalOpenTelemetry.getOrNoop()
                .getPropagators()
                .getTextMapPropagator()
                .inject(Context.current(), request, HttpRequest.Builder::header);
        return request;
    }

    private static HttpRequest.BodyPublisher json(@Nullable Object body) {
        try {
            return HttpRequest.BodyPublishers.ofString(MAPPER.writeValueAsString(body == null ? Map.of() : body));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private <T> T ask(HttpRequest request, JavaType type) {
        HttpResponse<String> response = whole(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 400) {
            throw problem(response.statusCode(), response.body());
        }
        return parse(request, response.body(), type);
    }

    /** Returns an answer with its body. The timeout of {@link HttpRequest} covers only the headers. */
    private <T> HttpResponse<T> whole(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        HttpClient http = connections.current();
        CompletableFuture<HttpResponse<T>> coming =
                HttpBodies.sendAsync(http, request, handler, Pace.STREAM.within(answer), MAX_OF_AN_ANSWER);
        try {
            return coming.get(answer.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw failure(http, Objects.requireNonNullElse(failure.getCause(), failure));
        } catch (TimeoutException ignored) {
            coming.cancel(true);
            throw late(http);
        } catch (InterruptedException interrupted) {
            coming.cancel(true);
            throw interrupted();
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request, Pace pace) {
        HttpClient http = connections.current();
        try {
            return HttpBodies.send(http, request, HttpResponse.BodyHandlers.ofInputStream(), pace, Long.MAX_VALUE);
        } catch (IOException failure) {
            throw failure(http, failure);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    /**
     * Returns the exception for a failed request. Only a refused certificate is permanent. Every other failure of a
     * connection is an outage, also a failed handshake.
     */
    private RuntimeException failure(HttpClient http, Throwable cause) {
        Optional<String> refusal = CertificateFailure.in(cause);
        if (refusal.isPresent()) {
            return untrusted(refusal.get(), cause);
        }
        return switch (cause) {
            case HttpConnectTimeoutException unconnected ->
                unreachable("no connection within " + text(HttpConnections.CONNECT), unconnected);
            case HttpTimeoutException late -> late(http);
            case IOException broken -> unreachable(broken);
            case RuntimeException wrong -> wrong;
            default -> new IllegalStateException(cause);
        };
    }

    private BackendException late(HttpClient http) {
        connections.retire(http);
        return unreachable("no answer within " + text(answer), null);
    }

    private static BackendException interrupted() {
        Thread.currentThread().interrupt();
        return new BackendException("interrupted", "the wait for the backend was interrupted", false);
    }

    private BackendException untrusted(String why, @Nullable Throwable cause) {
        String remedy = access.authority()
                .map(file -> "none of the authorities in " + file + " has issued its certificate for this name")
                .orElse("where a private authority has issued its certificate, name that one's file by "
                        + BackendAccess.AUTHORITY_VARIABLE);
        return new BackendException(
                "untrusted",
                "the backend at " + access.address() + " is not trusted: " + why + "; " + remedy,
                false,
                0,
                cause);
    }

    private BackendException unreachable(IOException broken) {
        return unreachable(
                broken.getMessage() == null ? broken.getClass().getSimpleName() : broken.getMessage(), broken);
    }

    private BackendException unreachable(String why, @Nullable Throwable cause) {
        return new BackendException(
                "unreachable", "the backend at " + access.address() + " does not answer: " + why, true, 0, cause);
    }

    private static String text(Duration time) {
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private <T> T parse(HttpRequest request, String body, JavaType type) {
        try {
            T answer = MAPPER.readValue(body.isBlank() ? "{}" : body, type);
            if (answer == null) {
                throw malformed(noAnswer(request));
            }
            return answer;
        } catch (JsonMappingException failure) {
            String field = field(failure);
            throw malformed(
                    noAnswer(request) + (field.isEmpty() ? "" : ", because " + field + " is absent or malformed"));
        } catch (JsonProcessingException ignored) {
            throw malformed("no JSON");
        }
    }

    private static String noAnswer(HttpRequest request) {
        return "no answer to " + request.method() + " " + request.uri().getRawPath();
    }

    /** Returns the place of a failure, such as {@code items[0].id}; empty if the whole text is invalid. */
    private static String field(JsonMappingException failure) {
        return clean(failure.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining())
                .replaceFirst("^\\.", ""));
    }

    private BackendException malformed(String why) {
        return new BackendException(
                "malformed", access.address() + " answered with something that is no backend's: " + why, false);
    }

    /**
     * Returns the exception for an error answer. Its message is the message of the server, shortened and without
     * control characters.
     */
    private BackendException problem(int status, String body) {
        try {
            ProblemBody problem = MAPPER.readValue(body, ProblemBody.class);
            if (problem != null && problem.code() != null) {
                return new BackendException(
                        problem.code(),
                        clean(Objects.requireNonNullElse(problem.detail(), "")),
                        Boolean.TRUE.equals(problem.retryable()),
                        status,
                        null);
            }
        } catch (JsonProcessingException noProblem) {
            // The body is no problem document, for example a page of a proxy.
        }
        return new BackendException(
                "status-" + status,
                access.address() + " answered with status " + status,
                mayPass(status),
                status,
                null);
    }

    /**
     * True if a request may succeed later that was answered by something else than a backend, such as a proxy in
     * front of it.
     */
    private static boolean mayPass(int status) {
        return status >= 500 || status == 408 || status == 429;
    }

    private static String clean(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", " ");
        return printable.length() > 500 ? printable.substring(0, 500) + "..." : printable;
    }
}
