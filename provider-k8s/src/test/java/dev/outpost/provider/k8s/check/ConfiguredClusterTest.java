package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.config.Settings;
import io.fabric8.kubernetes.client.Config;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ConfiguredClusterTest {
    private static final Config LAPTOP = Config.fromKubeconfig("""
            apiVersion: v1
            kind: Config
            current-context: lab
            contexts:
            - name: lab
              context: {cluster: lab, user: ada, namespace: research}
            clusters:
            - name: lab
              cluster: {server: "http://localhost:1"}
            """);

    private static ClusterQuestions questions(Map<String, String> options) {
        return ConfiguredCluster.questions(Settings.of(options), LAPTOP);
    }

    @Test
    void checksFollowTheSettings() {
        ClusterQuestions questions =
                questions(Map.of("image", "acme/runtime:1", "image-pull-secrets", "a,b", "queue", "gpu"));
        assertEquals("research", questions.namespace());
        assertTrue(questions.portForwarding());
        assertTrue(questions.queued());
        assertEquals(List.of("acme/runtime:1"), questions.images());
        assertEquals(List.of("a", "b"), questions.pullSecrets());
    }

    @Test
    void nodeSelectorIsTheMachines() {
        GpuKind t4 = questions(Map.of()).gpus().stream()
                .filter(kind -> kind.name().equals("T4"))
                .findFirst()
                .orElseThrow();
        assertEquals("nvidia.com/gpu", t4.resource());
        assertFalse(t4.terms().isEmpty());
        assertEquals("nvidia.com/gpu", t4.tolerations().getFirst().getKey());
        assertEquals("any", questions(Map.of()).gpus().getLast().name());
    }

    @Test
    void cpuMachineChecksNoGpu() {
        assertEquals(List.of(), questions(Map.of("resource-name", "")).gpus());
    }

    @Test
    void serviceAccessChecksNoPortForward() {
        assertFalse(questions(Map.of("endpoint", "service")).portForwarding());
        assertTrue(questions(Map.of("endpoint", "port-forward")).portForwarding());
        assertFalse(ConfiguredCluster.questions(Settings.of(Map.of()), Config.empty())
                .portForwarding());
    }
}
