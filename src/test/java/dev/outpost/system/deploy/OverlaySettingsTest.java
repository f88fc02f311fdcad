package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.k8s.config.PullPolicy;
import dev.outpost.provider.k8s.config.SettingsReader;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of the overlays' clients, as their provider reads them. */
@Tag("quick")
class OverlaySettingsTest {
    /**
     * The texts that a shell takes as they stand, which is also how Kustomize takes them; behind a # it may be an
     * example.
     */
    private static final Pattern LINE = Pattern.compile("#?[A-Z0-9_]+=[A-Za-z0-9_.,:/=-]*|# .*|");

    static List<Path> files() {
        return DeployFolder.settings();
    }

    @ParameterizedTest
    @MethodSource("files")
    void aShellAndKustomizeReadTheSame(Path file) {
        DeployFolder.read(file)
                .lines()
                .forEach(line -> assertTrue(LINE.matcher(line).matches(), line));
    }

    @ParameterizedTest
    @MethodSource("files")
    void theProviderKnowsThem(Path file) {
        assertEquals("outpost", Overlay.of(file).config().namespace().orElseThrow());
    }

    /** An example that nobody may use any more should not be found out by whoever tries it. */
    @ParameterizedTest
    @MethodSource("files")
    void theProviderKnowsTheExamplesToo(Path file) {
        DeployFolder.read(file)
                .lines()
                .filter(line -> line.matches("#[A-Z].*"))
                .map(line -> line.substring(1).split("=", 2))
                .forEach(pair -> SettingsReader.of(SettingsFile.options(Map.of(pair[0], pair[1]))));
    }

    @Test
    void withoutAGpuTheCpuComputes() {
        Overlay local = Overlay.of("local-cpu");
        Container machine = local.container();
        assertTrue(machine.getEnv().contains(new EnvVar("OUTPOST_RUNTIME_ENGINE", "cpu", null)), machine::toString);
        assertEquals(Set.of("cpu", "memory"), asked(machine));
        assertTrue(
                local.job().getSpec().getTemplate().getSpec().getNodeSelector().isEmpty());
        assertEquals(PullPolicy.NEVER, local.config().imagePullPolicy());
    }

    @Test
    void kueueKnowsTheQueueAndCoversWhatMachinesAskFor() {
        List<JsonNode> objects = Kustomization.objects(DeployFolder.overlay("kueue"));
        var queue = Manifests.only(CustomSchemas.LocalQueue.class, objects);
        var quota = Manifests.only(CustomSchemas.ClusterQueue.class, objects);
        var flavor = Manifests.only(CustomSchemas.ResourceFlavor.class, objects);
        Overlay kueue = Overlay.of("kueue");

        assertEquals(queue.metadata().getName(), kueue.config().queue().orElseThrow());
        assertEquals(
                queue.metadata().getName(),
                kueue.job().getMetadata().getLabels().get("kueue.x-k8s.io/queue-name"));
        assertEquals(kueue.config().namespace().orElseThrow(), queue.metadata().getNamespace());
        assertEquals(quota.metadata().getName(), queue.spec().clusterQueue());
        assertEquals(
                Map.of("kubernetes.io/metadata.name", queue.metadata().getNamespace()),
                quota.spec().namespaceSelector().getMatchLabels());
        var group = quota.spec().resourceGroups().getFirst();
        assertEquals(asked(kueue.container()), Set.copyOf(group.coveredResources()));
        assertEquals(flavor.metadata().getName(), group.flavors().getFirst().name());
        assertEquals(
                group.coveredResources(),
                group.flavors().getFirst().resources().stream()
                        .map(CustomSchemas.ClusterQueue.Quota::name)
                        .toList());
    }

    @Test
    void theNodesOfKarpenterHaveTheTaintThatMachinesTolerate() {
        var pool = Manifests.only(
                CustomSchemas.NodePool.class,
                Kustomization.objects(DeployFolder.overlay("eks").resolve("karpenter")));
        var taint = pool.spec().template().spec().taints().getFirst();
        assertTrue(Overlay.of("eks").job().getSpec().getTemplate().getSpec().getTolerations().stream()
                .anyMatch(toleration -> taint.getKey().equals(toleration.getKey())
                        && "Exists".equals(toleration.getOperator())
                        && taint.getEffect().equals(toleration.getEffect())));
    }

    @Test
    void oneMachineFitsIntoTheQuota() {
        List<JsonNode> objects = Kustomization.objects(DeployFolder.component("quota"));
        Map<String, Quantity> hard = Manifests.only(io.fabric8.kubernetes.api.model.ResourceQuota.class, objects)
                .getSpec()
                .getHard();
        Map<String, Quantity> largest = Manifests.only(io.fabric8.kubernetes.api.model.LimitRange.class, objects)
                .getSpec()
                .getLimits()
                .getFirst()
                .getMax();
        assertFalse(largest.containsKey("nvidia.com/gpu"), "every container without a limit would be given one");
        Overlay.base().container().getResources().getRequests().forEach((name, asked) -> {
            assertTrue(isAtMost(asked, largest.get(name)), name);
            assertTrue(isAtMost(asked, hard.get("requests." + name)), name);
        });
    }

    private static boolean isAtMost(Quantity asked, Quantity bound) {
        return asked.getNumericalAmount().compareTo(bound.getNumericalAmount()) <= 0;
    }

    private static Set<String> asked(Container machine) {
        Set<String> names = new HashSet<>(machine.getResources().getRequests().keySet());
        names.addAll(machine.getResources().getLimits().keySet());
        return names;
    }
}
