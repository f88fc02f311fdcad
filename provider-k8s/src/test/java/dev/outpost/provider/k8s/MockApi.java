package dev.outpost.provider.k8s;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Fabric8's API server that keeps objects and sends events, with a client. Fabric8's own extension fails a test whose server does not
 * close within ten seconds, which depends on the speed of the machine.
 */
public final class MockApi implements AutoCloseable {
    private final KubernetesMockServer server;
    private final KubernetesClient client;

    private MockApi(KubernetesMockServer server) {
        this.server = server;
        this.client = server.createClient();
    }

    public static MockApi start() {
        Map<ServerRequest, Queue<ServerResponse>> answers = new HashMap<>();
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), answers, new KubernetesMixedDispatcher(answers), true);
        server.init();
        return new MockApi(server);
    }

    public KubernetesMockServer server() {
        return server;
    }

    public KubernetesClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        try {
            server.destroy();
        } catch (IllegalStateException failure) {
            System.err.println("the mock server is left to this JVM's end: " + failure.getMessage());
        }
    }
}
