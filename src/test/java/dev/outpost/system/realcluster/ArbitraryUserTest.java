package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.nio.file.Path;
import java.util.HashMap;
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
    void applyAsThatUser() {
        backend = DeployedBackend.open();
        for (String part : new String[] {"backend", "serving"}) {
            Path folder = backend.scripts.kustomization("arbitrary-user-" + part, KUSTOMIZATION.formatted(part));
            backend.scripts.kubectl("apply", "-k", folder.toString());
        }
        awaitRollouts();
    }

    private void awaitRollouts() {
        backend.awaitRollout("outpost-backend", "outpost-backend");
        backend.awaitRollout("outpost-backend", "outpost-relay");
        backend.awaitRollout("outpost-serving", "outpost-serving");
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
        Map<String, String> options = new HashMap<>(DeployedBackend.SMALL);
        options.put("patch", PATCH);
        backend.putCluster("here", "ACTIVE", options);
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
