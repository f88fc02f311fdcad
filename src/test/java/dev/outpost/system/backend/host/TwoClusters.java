package dev.outpost.system.backend.host;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.simulated.kubernetes.TestCluster;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two test clusters, east and west, and a backend that has both; this host is not one of its clusters. */
public final class TwoClusters implements AutoCloseable {
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: east
            contexts:
            - name: east
              context: {cluster: east, user: east, namespace: outpost}
            - name: west
              context: {cluster: west, user: west, namespace: outpost}
            clusters:
            - name: east
              cluster: {server: "%s"}
            - name: west
              cluster: {server: "%s"}
            users:
            - name: east
              user: {token: "%s"}
            - name: west
              user: {token: "%s"}
            """;

    public final TestCluster east = TestCluster.start();
    public final TestCluster west = TestCluster.start();
    public final BackendHost backend;

    private TwoClusters(Path folder, String... variables) {
        try {
            Config first = east.config();
            Config second = west.config();
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"),
                    KUBECONFIG.formatted(
                            first.getMasterUrl(),
                            second.getMasterUrl(),
                            first.getOauthToken(),
                            second.getOauthToken()));
            List<String> all = new ArrayList<>(List.of(
                    "KUBECONFIG",
                    kubeconfig.toString(),
                    "OUTPOST_BACKEND_LOCAL_ENABLED",
                    "false",
                    "OUTPOST_BACKEND_OBSERVE_EVERY",
                    "1s"));
            all.addAll(List.of(variables));
            backend = BackendHost.start(folder.resolve("backend"), all.toArray(String[]::new));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** @param variables the variables of the backend, each followed by its value */
    public static TwoClusters start(Path folder, String... variables) {
        return new TwoClusters(folder, variables);
    }

    public BackendClient client() {
        return backend.client();
    }

    /** Adds the cluster, or changes whether it accepts machines. */
    public void set(String name, String state) {
        Map<String, String> options = new HashMap<>(east.options());
        options.put("context", name);
        options.put("endpoint", "pod-ip");
        client().put("/v1/clusters/" + name, Map.of("provider", "k8s", "state", state, "options", options));
    }

    @Override
    public void close() {
        try (east;
                west;
                backend) {
            // In the opposite order.
        }
    }
}
