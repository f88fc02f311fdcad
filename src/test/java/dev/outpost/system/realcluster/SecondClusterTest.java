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
        removeSecret();
        scripts.kubectl(
                "-n",
                "outpost-backend",
                "create",
                "secret",
                "generic",
                "outpost-clusters",
                "--from-file=" + kubeconfig);
        Path applied = scripts.kustomization("second-cluster", """
                resources: [../../../testing/real-cluster/config/backend]
                components: [../../../deploy/components/more-clusters]
                """);
        scripts.kubectl("apply", "-k", applied.toString());
        backend.awaitRollout("outpost-backend", "outpost-backend");
        // The old replicas still serve for a while, and do not know the contexts.
        backend.await(this::replicas, () -> replicas().split(" ").length == 2);
        putHere("ACTIVE");
        putThere("ACTIVE");
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
            removeSecret();
            try {
                // The records of its machines name it, so it cannot be removed.
                putThere("DRAINING");
            } finally {
                scripts.run("backend");
            }
        }
    }

    private void removeSecret() {
        scripts.kubectl("-n", "outpost-backend", "delete", "secret", "outpost-clusters", "--ignore-not-found");
    }

    private String kubeconfig() throws IOException {
        String there = Files.readString(scripts.home("etc/second/ada.kubeconfig"));
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

    private void putHere(String state) {
        Map<String, String> options = new HashMap<>(DeployedBackend.SMALL);
        options.put("context", "here");
        backend.putCluster("here", state, options);
    }

    private void putThere(String state) {
        backend.putCluster("there", state, Map.of("context", "there"));
    }

    private JsonNode machine(String id) {
        return backend.client().get("/v1/machines/" + id);
    }

    @Test
    void eachClusterHasItsMachinesAndOneThatIsAwayHoldsUpNone() {
        putHere("CORDONED");
        String id = UUID.randomUUID().toString();
        backend.client().put("/v1/machines/" + id, Map.of("gpu", "A100", "life", "PT10M"));
        backend.await(
                () -> machine(id).toString(),
                () -> onTheSecond("pods", "{.items[*].spec.nodeName}").contains("paper-a100"));
        assertEquals("there", machine(id).path("cluster").asText());
        putHere("ACTIVE");

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
