package dev.outpost.simulated.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The connection data of a cluster for clients. */
final class ClusterConnection {
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts:
            - name: test
              context: {cluster: test, user: test, namespace: %s}
            clusters:
            - name: test
              cluster: {server: "%s"}
            users:
            - name: test
              user: {token: "%s"}
            """;

    private ClusterConnection() {}

    /** Returns a configuration that ignores the files and variables of this host. */
    static Config config(String url, String token, String namespace) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(token)
                .withNamespace(namespace)
                .build();
    }

    static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    static Path kubeconfig(Config config, Path file) {
        try {
            return Files.writeString(
                    file, KUBECONFIG.formatted(config.getNamespace(), config.getMasterUrl(), config.getOauthToken()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
