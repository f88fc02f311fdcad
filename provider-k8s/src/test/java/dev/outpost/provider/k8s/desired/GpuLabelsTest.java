package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.check.NodeMatch;
import dev.outpost.provider.k8s.config.KubernetesNames;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("quick")
class GpuLabelsTest {
    private static final GpuCatalogue CATALOGUE = GpuCatalogue.standard();
    private static final String WHOLE = "nvidia.com/gpu";

    static List<GpuType> types() {
        return CATALOGUE.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyGpuOfTheCatalogueHasLabels(GpuType gpu) {
        assertFalse(GpuLabels.terms(gpu, WHOLE).isEmpty());
    }

    /** The catalogue recognizes a node's product, as the same type or as the type of that memory size. */
    @ParameterizedTest
    @MethodSource("types")
    void everyProductIsAnAliasInTheCatalogue(GpuType gpu) {
        for (String product : LabelledGpu.of(gpu.name()).orElseThrow().products()) {
            String found = CATALOGUE.find(product).name();
            assertTrue(found.equals(gpu.name()) || found.startsWith(gpu.name() + "-"), product + " is " + found);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyAliasThatNamesADeviceIsAProduct(GpuType gpu) {
        List<String> products = LabelledGpu.of(gpu.name()).orElseThrow().products();
        gpu.aliases().stream()
                .filter(alias -> alias.matches("(NVIDIA|Tesla|A100)-.*"))
                .forEach(alias -> assertTrue(products.contains(alias), alias));
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyValueCanBeALabel(GpuType gpu) {
        for (String resource : List.of(WHOLE, "nvidia.com/gpu.shared")) {
            GpuLabels.terms(gpu, resource).stream()
                    .flatMap(term -> term.getMatchExpressions().stream())
                    .forEach(GpuLabelsTest::requireLabels);
        }
    }

    private static void requireLabels(NodeSelectorRequirement requirement) {
        assertTrue(KubernetesNames.isKey(requirement.getKey()), requirement.getKey());
        requirement.getValues().forEach(value -> assertTrue(KubernetesNames.isLabelValue(value), value));
    }

    /** Nodes as found in clusters, and all types that may run there on a whole device. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "nvidia.com/gpu.product=Tesla-T4, T4",
                "nvidia.com/gpu.product=NVIDIA-L4, L4",
                "nvidia.com/gpu.product=NVIDIA-A10G, A10G",
                "nvidia.com/gpu.product=A100-SXM4-40GB, A100 A100-40GB",
                "nvidia.com/gpu.product=NVIDIA-A100-PCIE-40GB, A100 A100-40GB",
                "nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB, A100 A100-80GB",
                "nvidia.com/gpu.product=NVIDIA-A100-80GB-PCIe, A100 A100-80GB",
                "nvidia.com/gpu.product=NVIDIA-L40S, L40S",
                "nvidia.com/gpu.product=NVIDIA-H100-NVL, H100",
                "nvidia.com/gpu.product=NVIDIA-H200, H200",
                "nvidia.com/gpu.product=NVIDIA-B200, B200",
                // Slices and time-shared devices under the name of whole devices.
                "nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB-MIG-3g.20gb, -",
                "nvidia.com/gpu.product=Tesla-T4-SHARED, -",
                "nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB-MIG-INVALID, -",
                // No GPU, or an unknown one.
                "kubernetes.io/os=linux, -",
                "nvidia.com/gpu.present=true, -",
                // Google's.
                "cloud.google.com/gke-accelerator=nvidia-tesla-a100, A100 A100-40GB",
                "cloud.google.com/gke-accelerator=nvidia-a100-80gb, A100 A100-80GB",
                "cloud.google.com/gke-accelerator=nvidia-h100-mega-80gb, H100",
                "cloud.google.com/gke-accelerator=nvidia-h200-141gb, H200",
                "cloud.google.com/gke-accelerator=nvidia-tesla-v100, -",
                "cloud.google.com/gke-accelerator=nvidia-tesla-a100;cloud.google.com/gke-gpu-partition-size=1g.5gb, -",
                "cloud.google.com/gke-accelerator=nvidia-l4;cloud.google.com/gke-gpu-sharing-strategy=time-sharing, -",
                // Amazon's: a p4d, a p4de, whole and part of an L4.
                "karpenter.k8s.aws/instance-gpu-name=a100;karpenter.k8s.aws/instance-gpu-memory=40960, A100 A100-40GB",
                "karpenter.k8s.aws/instance-gpu-name=a100;karpenter.k8s.aws/instance-gpu-memory=81920, A100 A100-80GB",
                "eks.amazonaws.com/instance-gpu-name=a100;eks.amazonaws.com/instance-gpu-memory=81920, A100 A100-80GB",
                "karpenter.k8s.aws/instance-gpu-name=l4;karpenter.k8s.aws/instance-gpu-memory=22888, L4",
                "karpenter.k8s.aws/instance-gpu-name=l4;karpenter.k8s.aws/instance-gpu-memory=2861, -",
                "eks.amazonaws.com/instance-gpu-name=h200, H200",
                "eks.amazonaws.com/instance-gpu-name=t4g, -",
                // The label of the device counts, not that of the cloud provider.
                "karpenter.k8s.aws/instance-gpu-name=h100;nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3, H100",
                "karpenter.k8s.aws/instance-gpu-name=h100;nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3-MIG-1g.10gb, -",
                "cloud.google.com/gke-accelerator=nvidia-l4;nvidia.com/gpu.product=NVIDIA-L4-SHARED, -"
            })
    void aNodeHasTheGpusThatItsLabelsSay(String labels, String expected) {
        TreeSet<String> fitting = new TreeSet<>();
        for (GpuType gpu : types()) {
            if (fits(gpu.name(), WHOLE, labels)) {
                fitting.add(gpu.name());
            }
        }
        assertEquals(expected == null ? new TreeSet<>() : new TreeSet<>(List.of(expected.split(" "))), fitting);
    }

    @ParameterizedTest
    @CsvSource({
        "T4, nvidia.com/gpu.shared, nvidia.com/gpu.product=Tesla-T4, true",
        "T4, nvidia.com/gpu.shared, nvidia.com/gpu.product=Tesla-T4-SHARED, true",
        "T4, nvidia.com/gpu.shared, nvidia.com/gpu.product=NVIDIA-L4, false",
        "A100-80GB, nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb.product=NVIDIA-A100-SXM4-80GB-MIG-1g.10gb, true",
        // The smaller device also has slices of this size.
        "A100-80GB, nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb.product=NVIDIA-A100-SXM4-40GB-MIG-1g.10gb, false",
        "A100, nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb.product=NVIDIA-A100-SXM4-40GB-MIG-1g.10gb, true",
        "A100-80GB, nvidia.com/mig-1g.10gb, nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB-MIG-1g.10gb, true",
        "A100-80GB, nvidia.com/mig-1g.10gb, nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB-MIG-2g.20gb, false",
        "H100, nvidia.com/mig-1g.10gb.me, nvidia.com/mig-1g.10gb.me.product=NVIDIA-H100-80GB-HBM3-MIG-1g.10gb.me, true",
        "H100, nvidia.com/mig-1g.12gb, nvidia.com/mig-1g.12gb.product=NVIDIA-H100-NVL-MIG-1g.12gb, true",
        "H200, nvidia.com/mig-3g.71gb.shared, nvidia.com/mig-3g.71gb.product=NVIDIA-H200-MIG-3g.71gb, true",
        "H200, nvidia.com/mig-3g.71gb.shared, nvidia.com/mig-3g.71gb.product=NVIDIA-H200-MIG-3g.71gb-SHARED, true",
        "H200, nvidia.com/mig-3g.71gb, nvidia.com/mig-3g.71gb.product=NVIDIA-H200-MIG-3g.71gb-SHARED, false"
    })
    void slicesAndTurnsAreHadByTheirOwnResources(String gpu, String resource, String labels, boolean expected) {
        assertEquals(expected, fits(gpu, resource, labels));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A100-80GB | no A100-80GB has the slice 1g.5gb; there are 1g.10gb, 1g.10gb.me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb",
                "T4 | no T4 has the slice 1g.5gb; it cannot be sliced"
            })
    void aSliceThatTheGpuDoesNotHaveIsRefused(String gpu, String sentence) {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> GpuLabels.terms(CATALOGUE.find(gpu), "nvidia.com/mig-1g.5gb"));
        assertEquals("outpost.k8s.resource-name: " + sentence, refused.getMessage());
    }

    @Test
    void anyNodeWillDoForAny() {
        assertEquals(List.of(), GpuLabels.terms(GpuType.ANY, WHOLE));
    }

    @Test
    void aGpuThatNobodyKnowsNeedsItsLabelsSet() {
        GpuType own = MachineSpecFixtures.CATALOGUE.find("GTX1080");
        var refused = assertThrows(IllegalArgumentException.class, () -> GpuLabels.terms(own, WHOLE));
        assertEquals(
                "outpost.k8s.gpus.GTX1080.node-selector: the label of nodes with this GPU is not known; set it, "
                        + "such as nvidia.com/gpu.product=NVIDIA-GeForce-RTX-4090",
                refused.getMessage());
    }

    private static boolean fits(String gpu, String resource, String labels) {
        Map<String, String> map = new HashMap<>();
        for (String pair : labels.split(";")) {
            map.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return GpuLabels.terms(CATALOGUE.find(gpu), resource).stream()
                .anyMatch(term -> NodeMatch.fits(Map.of(), List.of(term), map));
    }
}
