package dev.outpost.cli.backend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A backend that gives the answers of a test, accepts one key, and records the requests. */
final class StubBackend implements AutoCloseable {
    static final String KEY = "op_abcdefghij_0123456789012345678901234567890123456789012";

    private final HttpServer server;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** @param request such as {@code GET /v1/gpus} */
    record Asked(String request, String body, String ifMatch, String ifNoneMatch) {}

    private record Answer(int status, String type, String body) {}

    StubBackend() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Asked> asked() {
        return asked;
    }

    StubBackend answer(String request, String json) {
        answers.put(request, new Answer(200, "application/json", json));
        return this;
    }

    StubBackend refuse(String request, int status, String code, String detail) {
        String problem =
                "{\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\",\"retryable\":false}".formatted(status, code, detail);
        answers.put(request, new Answer(status, "application/problem+json", problem));
        return this;
    }

    /** Answers like a proxy that does not know problem documents. */
    StubBackend answerPage(String request, int status, String html) {
        answers.put(request, new Answer(status, "text/html", html));
        return this;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        asked.add(new Asked(
                request,
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                exchange.getRequestHeaders().getFirst("If-Match"),
                exchange.getRequestHeaders().getFirst("If-None-Match")));
        boolean isKnown = ("Bearer " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"));
        Answer answer = isKnown
                ? answers.getOrDefault(request, problem(404, "not-found", "there is nothing at " + request))
                : problem(401, "unauthenticated", "the key is unknown, expired or revoked");
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Answer problem(int status, String code, String detail) {
        return new Answer(
                status,
                "application/problem+json",
                "{\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\"}".formatted(status, code, detail));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
