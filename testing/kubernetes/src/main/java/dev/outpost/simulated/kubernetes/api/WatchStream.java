package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** A watch on its way to a client, which sends nothing back. */
final class WatchStream implements Watcher.Sink {
    private final ApiServer server;
    private HttpStream stream;
    private Watcher watcher;

    private WatchStream(ApiServer server) {
        this.server = server;
    }

    /** Called on an event loop. */
    static void open(ApiServer server, HttpServerRequest http, ApiRequest request) {
        WatchStream watch = new WatchStream(server);
        Context context = Vertx.currentContext();
        if (HttpStream.isUpgrade(http)) {
            http.toWebSocket()
                    .onSuccess(socket -> watch.begin(HttpStream.of(context, socket, watch::closed), context, request));
        } else {
            watch.begin(HttpStream.of(context, http, "application/json", watch::closed), context, request);
        }
    }

    private void begin(HttpStream out, Context context, ApiRequest request) {
        stream = out;
        watcher = server.watch(request, this);
        String seconds = request.option("timeoutSeconds");
        if (!seconds.isEmpty()) {
            long millis = Duration.ofSeconds(Long.parseLong(seconds)).toMillis();
            context.owner().setTimer(millis, timer -> timeIsOver());
        }
    }

    private void timeIsOver() {
        closed();
        end();
    }

    /** The client has gone. */
    private void closed() {
        if (watcher != null) {
            server.leave(watcher);
        }
    }

    @Override
    public void event(ObjectNode event) {
        stream.send(event + "\n");
    }

    @Override
    public void end() {
        stream.end();
    }
}
