package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A port that can be closed and opened again. */
final class Door {
    private static final int MAX_MESSAGE = 16 << 20;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int RETRY_MILLIS = 5;

    private final Vertx vertx;
    private final HttpServerOptions options;
    private final Handler<HttpServerRequest> visitors;
    private HttpServer http;

    Door(Vertx vertx, String address, int port, Handler<HttpServerRequest> visitors) {
        this.vertx = vertx;
        this.visitors = visitors;
        this.options = new HttpServerOptions()
                .setHost(address)
                .setPort(port)
                .setMaxWebSocketFrameSize(MAX_MESSAGE)
                .setMaxWebSocketMessageSize(MAX_MESSAGE)
                .setWebSocketSubProtocols(List.of("v5.channel.k8s.io", "v4.channel.k8s.io"));
    }

    String url() {
        return "http://" + options.getHost() + ":" + options.getPort() + "/";
    }

    synchronized void open() {
        if (http == null) {
            http = await(listen(System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)));
        }
    }

    /**
     * The time for which the port of a closed door may still be in use: Java frees a socket's port at the next selection of its event
     * loop, which may come after the close was reported.
     */
    private Future<HttpServer> listen(long deadline) {
        return vertx.createHttpServer(options).requestHandler(visitors).listen().recover(failed -> {
            if (failed instanceof BindException && System.nanoTime() < deadline) {
                return vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(tick -> listen(deadline));
            }
            return Future.failedFuture(failed);
        });
    }

    /** Breaks all connections, and accepts no new ones. */
    synchronized void close() {
        if (http != null) {
            await(http.close());
            http = null;
        }
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new IllegalStateException("the API's door: " + failure, failure);
        }
    }
}
