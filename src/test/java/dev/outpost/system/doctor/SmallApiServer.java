package dev.outpost.system.doctor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** An API server with the parts that doctor needs: it has the namespace, allows everything, and has no nodes. */
final class SmallApiServer implements AutoCloseable {
    private final HttpServer server;

    SmallApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/version", 200, "{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.1\"}");
        answer(
                "/api/v1/namespaces/outpost",
                200,
                "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"outpost\"}}");
        answer(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                201,
                "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{},"
                        + "\"status\":{\"allowed\":true}}");
        answer("/api/v1/nodes", 200, "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}");
        answer("/api/v1/pods", 200, "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}");
        server.start();
    }

    /** A kubeconfig whose current context is this server. */
    Path kubeconfig(Path file) throws IOException {
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts:
                - name: here
                  context: {cluster: small, user: nobody}
                clusters:
                - name: small
                  cluster: {server: "http://127.0.0.1:%d"}
                users:
                - name: nobody
                  user: {}
                """.formatted(server.getAddress().getPort()));
    }

    private void answer(String path, int status, String body) {
        server.createContext(path, exchange -> send(exchange, status, body));
    }

    private static void send(HttpExchange exchange, int status, String body) {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
