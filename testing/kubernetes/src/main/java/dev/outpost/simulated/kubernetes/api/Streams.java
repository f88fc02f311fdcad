package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetClient;
import java.util.Set;

/** The answers that are streams: watches, logs and forwarded ports. Called on an event loop. */
final class Streams {
    private static final Set<String> OF_PODS = Set.of("log", "portforward");

    private final ApiServer server;
    private final ContainerLogs logs;
    private final NetClient network;

    Streams(ApiServer server, ContainerLogs logs, Vertx vertx) {
        this.server = server;
        this.logs = logs;
        this.network = vertx.createNetClient();
    }

    static boolean isStream(ApiRequest request) {
        return request.verb() == Verb.WATCH || isOfPod(request.path());
    }

    private static boolean isOfPod(ResourcePath path) {
        return path.isOf("", "pods") && OF_PODS.contains(path.subresource());
    }

    /** Opens the stream, or throws the reason why it cannot be opened. */
    void open(HttpServerRequest http, ApiRequest request) {
        server.check(request);
        switch (request.path().subresource()) {
            case "log" -> openLog(http, request);
            case "portforward" -> openPort(http, request);
            default -> WatchStream.open(server, http, request);
        }
    }

    private void openLog(HttpServerRequest http, ApiRequest request) {
        ResourcePath path = request.path();
        ObjectNode pod = server.existing(path);
        ContainerLog log = logs.find(path.namespace(), path.name()).orElseThrow(() -> isWaiting(path, pod));
        ContainerLogStream.open(log, http, request);
    }

    private static ApiStatusException isWaiting(ResourcePath path, ObjectNode pod) {
        String container = JsonObjects.text(pod.path("spec").path("containers").path(0), "name");
        String reason =
                JsonObjects.text(pod.path("status").path("containerStatuses").path(0), "state.waiting.reason");
        return ApiStatusException.badRequest("container \"" + container + "\" in pod \"" + path.name()
                + "\" is waiting to start: " + (reason.isEmpty() ? "not found" : reason));
    }

    private void openPort(HttpServerRequest http, ApiRequest request) {
        ObjectNode pod = server.existing(request.path());
        if (!JsonObjects.text(pod, "status.phase").equals("Running")) {
            throw ApiStatusException.badRequest("unable to forward port because pod is not running. Current status="
                    + JsonObjects.text(pod, "status.phase"));
        }
        int port = Integer.parseInt(request.option("ports"));
        http.toWebSocket().onSuccess(client -> connect(client, port, pod));
    }

    private void connect(ServerWebSocket client, int port, ObjectNode pod) {
        client.pause();
        String name = JsonObjects.text(pod, "metadata.name");
        network.connect(port, JsonObjects.text(pod, "status.podIP"))
                .onSuccess(socket -> PortForwardStream.bridge(client, port, socket))
                .onFailure(why -> PortForwardStream.refuse(
                        client, port, "error forwarding port " + port + " to pod " + name + ": " + why.getMessage()));
    }
}
