package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The entry for clients: counts requests, checks credentials and injects faults. */
public final class FrontDoor {
    private final ApiFaults faults;
    private final RequestCounts counts = new RequestCounts();
    private final HttpApi api;
    private final Vertx vertx;
    private final Door door;
    private volatile String token = UUID.randomUUID().toString();
    private volatile int closings;

    FrontDoor(ApiServer server, HttpApi api, Vertx vertx, String address, int port) {
        this.faults = new ApiFaults(server, this);
        this.api = api;
        this.vertx = vertx;
        this.door = new Door(vertx, address, port, http -> api.read(http, this::admit));
        door.open();
    }

    public String url() {
        return door.url();
    }

    public ApiFaults faults() {
        return faults;
    }

    public RequestCounts counts() {
        return counts;
    }

    /** The token of clients. */
    public String token() {
        return token;
    }

    String rotateToken() {
        token = UUID.randomUUID().toString();
        return token;
    }

    void open() {
        door.open();
    }

    void close() {
        closings++;
        door.close();
    }

    private void admit(HttpServerRequest http, ApiRequest request) {
        counts.add(request);
        if (!("Bearer " + token).equals(http.getHeader("Authorization"))) {
            api.answer(http, ApiStatusException.unauthorized().answer());
            return;
        }
        switch (faults.next(request).orElse(null)) {
            case null -> api.serve(http, request);
            case Fault.Effect.Refuse(ApiStatusException refusal) -> api.answer(http, refusal.answer());
            case Fault.Effect.Answer(JsonNode body) -> api.answer(http, ApiResponse.ok(body));
            case Fault.Effect.Delay delay -> serveLater(http, request, delay);
            case Fault.Effect.Hold(CompletionStage<?> until) -> serveAfter(http, request, until);
            case Fault.Effect.HangUp() -> http.connection().close();
            case Fault.Effect.LoseAnswer() ->
                api.handle(request).onComplete(lost -> http.connection().close());
        }
    }

    private void serveAfter(HttpServerRequest http, ApiRequest request, CompletionStage<?> until) {
        Context loop = vertx.getOrCreateContext();
        int asked = closings;
        until.thenRun(() -> loop.runOnContext(go -> serveLate(http, request, asked)));
    }

    private void serveLater(HttpServerRequest http, ApiRequest request, Fault.Effect.Delay delay) {
        int asked = closings;
        vertx.setTimer(delay.by().toMillis(), timer -> serveLate(http, request, asked));
    }

    /**
     * If the client dies meanwhile, the request still has its effect; if the server dies, it has none.
     *
     * @param asked the number of times that the server had died when the request arrived
     */
    private void serveLate(HttpServerRequest http, ApiRequest request, int asked) {
        if (closings == asked) {
            api.serve(http, request);
        }
    }
}
