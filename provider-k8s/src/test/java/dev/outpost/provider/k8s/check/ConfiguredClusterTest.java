package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        return ConfiguredCluster.questions(reading(options), LAPTOP);
    }

    private static Function<Map<String, String>, KubernetesConfig> reading(Map<String, String> options) {
        return added -> {
            Map<String, String> all = new HashMap<>(options);
            all.putAll(added);
            return SettingsReader.of(all, GpuCatalogue.with("GTX1080=24GB:8.9"));
        };
    }

    private static GpuKind kind(String gpu, Map<String, String> options) {
        return questions(options).gpus().stream()
                .filter(kind -> kind.name().equals(gpu))
                .findFirst()
                .orElseThrow();
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
        GpuKind t4 = kind("T4", Map.of());
        assertEquals("nvidia.com/gpu", t4.resource());
        assertFalse(t4.terms().isEmpty());
        assertEquals("nvidia.com/gpu", t4.tolerations().getFirst().getKey());
        assertEquals("any", questions(Map.of()).gpus().getLast().name());
    }

    /** Only nodes with a T4 are counted as T4 nodes. */
    @Test
    void eachGpuIsCountedWithoutItsAlternatives() {
        assertEquals(kind("T4", Map.of()), kind("T4", Map.of("alternatives", "L40S,any")));
        assertEquals(kind("any", Map.of()), kind("any", Map.of("alternatives", "L40S")));
    }

    /** A claim may have kinds that an extended resource cannot describe. */
    @Test
    void alternativesThatOnlyAClaimCanHaveAreNoProblem() {
        for (String allocation : List.of("auto", "resource-claim")) {
            ClusterQuestions questions = questions(Map.of(
                    "gpu-allocation",
                    allocation,
                    "alternatives",
                    "A100-40GB,GTX1080",
                    "gpus.A100-40GB.resource-name",
                    "nvidia.com/mig-1g.5gb"));
            assertEquals(
                    List.of("gpu.nvidia.com", "mig.nvidia.com"),
                    questions.devices().deviceClasses());
            assertEquals(
                    "nvidia.com/mig-1g.5gb",
                    questions.gpus().stream()
                            .filter(kind -> kind.name().equals("A100-40GB"))
                            .findFirst()
                            .orElseThrow()
                            .resource());
        }
    }

    @Test
    void aSettingThatCannotBeDescribedIsNoFaultOfTheKubeconfig() {
        ClusterFinding finding = ConfiguredCluster.check(
                        reading(Map.of("alternatives", "T4,L4,L40S,A10,A100,H100,H200,B200")),
                        Clients.of(new ConfigBuilder(LAPTOP).build()))
                .getFirst();
        assertEquals("settings", finding.what());
        assertTrue(finding.sentence().startsWith("outpost.k8s.alternatives: "), finding::sentence);
        assertEquals("Correct it where it is set.", finding.remedy());
    }

    @Test
    void cpuMachineChecksNoGpu() {
        assertEquals(List.of(), questions(Map.of("resource-name", "")).gpus());
    }

    @Test
    void serviceAccessChecksNoPortForward() {
        assertFalse(questions(Map.of("endpoint", "service")).portForwarding());
        assertTrue(questions(Map.of("endpoint", "port-forward")).portForwarding());
        assertFalse(
                ConfiguredCluster.questions(reading(Map.of()), Config.empty()).portForwarding());
    }
}
