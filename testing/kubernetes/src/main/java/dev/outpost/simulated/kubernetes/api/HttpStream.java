package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.util.function.Consumer;

/** Text that is sent piece by piece: messages of a WebSocket, or chunks of a body. Any thread may write, and no write waits. */
final class HttpStream {
    private final Context context;
    private final Consumer<String> write;
    private final Runnable finish;

    private HttpStream(Context context, Consumer<String> write, Runnable finish) {
        this.context = context;
        this.write = write;
        this.finish = finish;
    }

    static boolean isUpgrade(HttpServerRequest http) {
        return http.headers().contains(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET, true);
    }

    static HttpStream of(Context context, ServerWebSocket socket, Runnable closed) {
        socket.closeHandler(ignored -> closed.run());
        return new HttpStream(context, socket::writeTextMessage, socket::close);
    }

    static HttpStream of(Context context, HttpServerRequest http, String contentType, Runnable closed) {
        http.resume();
        http.response().setChunked(true).putHeader("Content-Type", contentType);
        http.response().closeHandler(ignored -> closed.run());
        // The client waits for this before it regards the stream as open.
        http.response().writeHead();
        return new HttpStream(
                context,
                text -> http.response().write(text),
                () -> http.response().end());
    }

    /** Sends a piece; pieces are sent in the order of the calls. */
    void send(String text) {
        context.runOnContext(ignored -> write.accept(text));
    }

    void end() {
        context.runOnContext(ignored -> finish.run());
    }
}
