package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pods run as OpenShift's restricted security context makes them: as a user of the namespace's range, without an entry in
 * {@code /etc/passwd}, of group 0.
 */
@Tag("real-cluster")
class ArbitraryUserTest {
    private static final String KUSTOMIZATION = """
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources: [../../../testing/real-cluster/config/%s]
            components: [../../../deploy/components/openshift]
            patches:
              - target: {kind: Deployment}
                patch: |-
                  - {op: add, path: /spec/template/spec/securityContext/runAsUser, value: 1000700000}
                  - {op: add, path: /spec/template/spec/securityContext/runAsGroup, value: 0}
                  - {op: add, path: /spec/template/spec/securityContext/fsGroup, value: 1000700000}
            """;

    private static final String PATCH = "spec: {template: {spec: {securityContext: "
            + "{runAsUser: 1000700000, runAsGroup: 0, fsGroup: 1000700000}}}}";

    private DeployedBackend backend;

    @BeforeEach
    void applyAsThatUser() throws IOException {
        backend = DeployedBackend.open();
        for (String part : new String[] {"backend", "serving"}) {
            Path folder = Files.createDirectories(backend.scripts.tree().resolve("target/arbitrary-user/" + part));
            Files.writeString(folder.resolve("kustomization.yaml"), KUSTOMIZATION.formatted(part));
            backend.scripts.kubectl("apply", "-k", folder.toString());
        }
        awaitRollouts();
    }

    private void awaitRollouts() {
        for (String[] one : new String[][] {
            {"outpost-backend", "outpost-backend"},
            {"outpost-backend", "outpost-relay"},
            {"outpost-serving", "outpost-serving"}
        }) {
            backend.scripts.kubectl("-n", one[0], "rollout", "status", "deployment/" + one[1], "--timeout=180s");
        }
    }

    @AfterEach
    void applyAsBefore() {
        if (backend != null) {
            backend.scripts.run("backend", "serving");
            awaitRollouts();
        }
    }

    @Test
    void everythingRuns() {
        backend.client()
                .put(
                        "/v1/clusters/here",
                        Map.of(
                                "provider",
                                "k8s",
                                "relay",
                                backend.client()
                                        .get("/v1/clusters/here")
                                        .path("relay")
                                        .asText(),
                                "options",
                                Map.of(
                                        "namespace", "outpost",
                                        "endpoint", "pod-ip",
                                        "image", "localhost/outpost-runtime:cpu",
                                        "image-pull-policy", "never",
                                        "engine", "cpu",
                                        "resource-name", "",
                                        "cpu", "200m",
                                        "memory", "1Gi",
                                        "patch", PATCH)));
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            JsonNode row = backend.machines().path(0);
            assertEquals(
                    "1000700000",
                    backend.scripts.kubectl(
                            "-n",
                            "outpost",
                            "get",
                            "pods",
                            "-o",
                            "jsonpath={.items[0].spec.securityContext.runAsUser}"),
                    row::toString);
        }
        backend.awaitNothingLeft();
    }
}
