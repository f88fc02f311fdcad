package dev.outpost.system.k8s;

import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.simulated.kubernetes.ClusterUnderTest;
import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.RequestCounts;
import dev.outpost.simulated.kubernetes.node.PodFaults;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/**
 * The cluster that {@code KUBECONFIG} leads to. Settings for its machines are taken from the environment, as by a program:
 * {@code OUTPOST_K8S_IMAGE}, {@code OUTPOST_K8S_ENDPOINT}, {@code OUTPOST_K8S_RESOURCE_NAME} (empty where there are no GPUs)
 * and so on. The test works in the namespace of {@code OUTPOST_K8S_NAMESPACE}, which must have no other machines; where that is not
 * set, in one that is made for the test and removed after it.
 */
final class KubeconfigCluster implements ClusterUnderTest {
    private final Path file;
    private final Config config;
    private final KubernetesClient client;
    private final Optional<String> given = setting("namespace");
    private final String namespace =
            given.orElseGet(() -> "outpost-test-" + UUID.randomUUID().toString().substring(0, 8));

    private KubeconfigCluster(Path file) throws IOException {
        this.file = file;
        this.config = Config.fromKubeconfig(file.toFile());
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        config.setNamespace(namespace);
        if (given.isEmpty()) {
            makeNamespace();
        }
    }

    private void makeNamespace() {
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build())
                .create();
    }

    static KubeconfigCluster open() {
        String file = System.getenv("KUBECONFIG");
        if (file == null) {
            throw new IllegalStateException("k8s=real: KUBECONFIG names no file; set it to the cluster's");
        }
        try {
            return new KubeconfigCluster(Path.of(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>(Map.of("engine", "cpu", "endpoint", "auto"));
        SettingsReader.names().forEach(name -> setting(name).ifPresent(value -> options.put(name, value)));
        options.put("namespace", namespace);
        return options;
    }

    private static Optional<String> setting(String name) {
        return Optional.ofNullable(
                System.getenv("OUTPOST_K8S_" + name.replace('-', '_').toUpperCase(Locale.ROOT)));
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
        if (given.isEmpty()) {
            client.namespaces().withName(namespace).delete();
        } else {
            removeMachines();
        }
        client.close();
    }

    /** A test that was aborted may have left some. The role of clients does not allow to delete them by one request. */
    private void removeMachines() {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabels(MachineLabels.ofAll())
                .resources()
                .forEach(job -> job.withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete());
    }
}
