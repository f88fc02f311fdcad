package dev.outpost.system.k8s.cluster;

import dev.outpost.system.k8s.cluster.api.ApiFaults;
import dev.outpost.system.k8s.cluster.api.RequestCounts;
import dev.outpost.system.k8s.cluster.node.PodFaults;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/**
 * The cluster that {@code KUBECONFIG} leads to, in a namespace that is made for the test and removed after it. The image of
 * the runtime is named by {@code OUTPOST_K8S_IMAGE}, and its engine by {@code OUTPOST_K8S_ENGINE}.
 */
final class RealCluster implements Cluster {
    private final Path file;
    private final Config config;
    private final KubernetesClient client;
    private final String namespace =
            "outpost-test-" + UUID.randomUUID().toString().substring(0, 8);

    private RealCluster(Path file) throws IOException {
        this.file = file;
        this.config = Config.fromKubeconfig(file.toFile());
        this.client = ClusterAccess.client(config);
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
        config.setNamespace(namespace);
    }

    static RealCluster open() {
        String file = System.getenv("KUBECONFIG");
        if (file == null) {
            throw new IllegalStateException("k8s=real: KUBECONFIG names no file; set it to the cluster's");
        }
        try {
            return new RealCluster(Path.of(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Config config() {
        return config;
    }

    @Override
    public Path kubeconfig(Path target) {
        try {
            return Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>(Map.of("namespace", namespace));
        Optional.ofNullable(System.getenv("OUTPOST_K8S_IMAGE")).ifPresent(image -> options.put("image", image));
        options.put(
                "engine",
                Optional.ofNullable(System.getenv("OUTPOST_K8S_ENGINE")).orElse("cpu"));
        return options;
    }

    @Override
    public ApiFaults faults() {
        return Assumptions.abort("a real cluster's API cannot be told to fail");
    }

    @Override
    public PodFaults pods() {
        return Assumptions.abort("a real cluster's pods cannot be told to fail");
    }

    @Override
    public RequestCounts requests() {
        return Assumptions.abort("a real cluster does not tell what it was asked for");
    }

    @Override
    public long made(String resource) {
        return Assumptions.<Long>abort("a real cluster does not tell how many " + resource + " it has seen");
    }

    @Override
    public void close() {
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}
