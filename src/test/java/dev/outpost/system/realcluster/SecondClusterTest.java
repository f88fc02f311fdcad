package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend with machines on its own cluster and on another one, which has an API server, etcd and a scheduler of its own. */
@Tag("real-cluster")
class SecondClusterTest {
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: here
            clusters:
              - name: here
                cluster:
                  server: https://kubernetes.default.svc
                  certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
              - {name: there, cluster: {server: "%s", certificate-authority-data: %s}}
            users:
              - {name: here, user: {tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}}
              - {name: there, user: {client-certificate-data: %s, client-key-data: %s}}
            contexts:
              - {name: here, context: {cluster: here, user: here, namespace: outpost}}
              - {name: there, context: {cluster: there, user: there, namespace: outpost}}
            """;

    @TempDir
    private Path folder;

    private DeployedBackend backend;
    private Scripts scripts;

    @BeforeEach
    void addTheCluster() throws IOException {
        backend = DeployedBackend.open();
        scripts = backend.scripts;
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), kubeconfig());
        scripts.kubectl(
                "-n",
                "outpost-backend",
                "create",
                "secret",
                "generic",
                "outpost-clusters",
                "--from-file=" + kubeconfig);
        Path applied = Files.createDirectories(scripts.tree().resolve("target/second-cluster"));
        Files.writeString(applied.resolve("kustomization.yaml"), """
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: [../../testing/real-cluster/config/backend]
                components: [../../deploy/components/more-clusters]
                """);
        scripts.kubectl("apply", "-k", applied.toString());
        scripts.kubectl("-n", "outpost-backend", "rollout", "status", "deployment/outpost-backend", "--timeout=180s");
        // The old replicas still serve for a while, and do not know the contexts.
        backend.await(this::replicas, () -> replicas().split(" ").length == 2);
        set("here", "ACTIVE", Map.of("cpu", "200m", "memory", "1Gi", "resource-name", ""));
        set("there", "ACTIVE", Map.of());
    }

    private String replicas() {
        return scripts.kubectl(
                "-n",
                "outpost-backend",
                "get",
                "pods",
                "-l",
                "app.kubernetes.io/name=outpost-backend",
                "-o",
                "jsonpath={.items[*].metadata.name}");
    }

    @AfterEach
    void removeTheCluster() {
        if (backend != null) {
            scripts.kubectl("-n", "outpost-backend", "delete", "secret", "outpost-clusters", "--ignore-not-found");
            try {
                // The records of its machines name it, so it cannot be removed.
                set("there", "DRAINING", Map.of());
            } finally {
                scripts.run("backend");
            }
        }
    }

    private String kubeconfig() throws IOException {
        String there = Files.readString(
                Path.of(System.getenv("KUBECONFIG")).resolveSibling("second").resolve("ada.kubeconfig"));
        return KUBECONFIG.formatted(
                value(there, "server"),
                value(there, "certificate-authority-data"),
                value(there, "client-certificate-data"),
                value(there, "client-key-data"));
    }

    private static String value(String kubeconfig, String key) {
        Matcher found = Pattern.compile(key + ": (\\S+)").matcher(kubeconfig);
        assertTrue(found.find(), key);
        return found.group(1);
    }

    private void set(String name, String state, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(Map.of(
                "context",
                name,
                "namespace",
                "outpost",
                "endpoint",
                "pod-ip",
                "image",
                "localhost/outpost-runtime:cpu",
                "image-pull-policy",
                "never",
                "engine",
                "cpu"));
        options.putAll(more);
        backend.client().put("/v1/clusters/" + name, Map.of("provider", "k8s", "state", state, "options", options));
    }

    private JsonNode machine(String id) {
        return backend.client().get("/v1/machines/" + id);
    }

    @Test
    void eachClusterHasItsMachinesAndOneThatIsAwayHoldsUpNone() {
        set("here", "CORDONED", Map.of("cpu", "200m", "memory", "1Gi", "resource-name", ""));
        String id = UUID.randomUUID().toString();
        backend.client().put("/v1/machines/" + id, Map.of("gpu", "A100", "life", "PT10M"));
        backend.await(
                () -> machine(id).toString(),
                () -> onTheSecond("pods", "{.items[*].spec.nodeName}").contains("paper-a100"));
        assertEquals("there", machine(id).path("cluster").asText());
        set("here", "ACTIVE", Map.of("cpu", "200m", "memory", "1Gi", "resource-name", ""));

        scripts.fault("kill", "second-apiserver");
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        } finally {
            scripts.fault("start", "second-apiserver");
        }
        Instant back = Instant.now();
        backend.await(
                () -> backend.client().get("/v1/clusters/there").toString(),
                () -> Instant.parse(backend.client()
                                .get("/v1/clusters/there")
                                .path("observed")
                                .asText())
                        .isAfter(back));
        backend.client().post("/v1/machines/" + id + ":end", Map.of());
        // Its node has no kubelet, which would say that the pod has ended.
        backend.await(
                () -> machine(id).toString(),
                () -> onTheSecond("jobs", "{.items[*].metadata.name}").isBlank());
        scripts.run(
                "client",
                "--second",
                "-u",
                "admin",
                "kubectl",
                "-n",
                "outpost",
                "delete",
                "pods",
                "--all",
                "--force",
                "--grace-period=0");
        backend.await(
                () -> machine(id).toString(),
                () -> machine(id).path("state").asText().equals("ENDED"));
        backend.await(
                () -> onTheSecond("jobs,pods,secrets", "{.items[*].metadata.name}"),
                () -> onTheSecond("jobs,pods,secrets", "{.items[*].metadata.name}")
                        .isBlank());
        backend.awaitNothingLeft();
    }

    private String onTheSecond(String kinds, String path) {
        return scripts.run(
                "client",
                "--second",
                "-u",
                "admin",
                "kubectl",
                "-n",
                "outpost",
                "get",
                kinds,
                "-l",
                "app.kubernetes.io/name=outpost-machine",
                "-o",
                "jsonpath=" + path);
    }
}
