package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.BiConsumer;

/** The API over HTTP and WebSockets. */
final class HttpApi {
    private final ApiServer server;
    private final Streams streams;
    private final Vertx vertx;

    HttpApi(ApiServer server, ContainerLogs logs, Vertx vertx) {
        this.server = server;
        this.streams = new Streams(server, logs, vertx);
        this.vertx = vertx;
    }

    /** Reads a request and passes it on; answers requests for unknown paths itself. */
    void read(HttpServerRequest http, BiConsumer<HttpServerRequest, ApiRequest> next) {
        ResourcePath.parse(http.path())
                .ifPresentOrElse(
                        path -> read(http, HttpRequests.read(http, path), next),
                        () -> http.body().onSuccess(ignored -> answer(http, server.describe(http.path()))));
    }

    /** A stream has no body, and must not send data before it is set up. */
    private static void read(
            HttpServerRequest http, ApiRequest request, BiConsumer<HttpServerRequest, ApiRequest> next) {
        if (Streams.isStream(request)) {
            http.pause();
            next.accept(http, request);
        } else {
            http.body().onSuccess(body -> next.accept(http, request.withBody(body.toString())));
        }
    }

    void serve(HttpServerRequest http, ApiRequest request) {
        try {
            if (Streams.isStream(request)) {
                streams.open(http, request);
            } else {
                handle(request).onSuccess(answer -> answer(http, answer));
            }
        } catch (ApiStatusException refusal) {
            answer(http, refusal.answer());
        }
    }

    /** Runs outside of the event loop, because the server has a lock. */
    Future<ApiResponse> handle(ApiRequest request) {
        return vertx.executeBlocking(() -> server.handle(request), false);
    }

    private String date() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                server.time().instant().atOffset(ZoneOffset.UTC));
    }

    void answer(HttpServerRequest http, ApiResponse answer) {
        http.resume();
        answer.headers().forEach(http.response()::putHeader);
        http.response()
                .setStatusCode(answer.code())
                .putHeader("Content-Type", "application/json")
                .putHeader("Date", date())
                .end(Buffer.buffer(answer.body()));
    }
}
