package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.check.NodeMatch;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.GpuClaim;
import dev.outpost.provider.support.EngineKind;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests machines that claim their GPUs as devices. */
@Tag("quick")
class ClaimTest {
    private static final String UID = "6f1b1d5e-1c3f-4c53-9d0e-2f1f5a1f2b3c";

    private static KubernetesMachineSpec claimed(String gpu, String... settings) {
        return MachineSpecFixtures.of(gpu, settings).with(GpuAllocation.RESOURCE_CLAIM);
    }

    private static ResourceClaimSpec spec(String gpu, String... settings) {
        return DesiredState.claimTemplate(claimed(gpu, settings), 1, UID)
                .getSpec()
                .getSpec();
    }

    private static PodSpec pod(KubernetesMachineSpec request) {
        return DesiredState.job(request).getSpec().getTemplate().getSpec();
    }

    @Test
    void theJob() {
        Golden.check("job-claim", DesiredState.job(claimed("A100-40GB")));
    }

    @Test
    void theTemplate() {
        Golden.check("claim-template", DesiredState.claimTemplate(claimed("A100-40GB"), 1, UID));
    }

    @Test
    void alternativesAreAskedForInTheirOrder() {
        Golden.check(
                "claim-template-alternatives",
                DesiredState.claimTemplate(claimed("A100", "alternatives", "H100,any"), 1, UID));
    }

    @Test
    void gpusOfOnePodAreRequestsOfOneClaim() {
        KubernetesMachineSpec request =
                claimed("A100", "alternatives", "H100", "gpu-topology", "resource.kubernetes.io/pcieRoot");
        GroupRequest group = new GroupRequest(request, 2, true);
        Golden.check("claim-template-group", DesiredState.claimTemplate(request, group.gpusOfAPod(), UID));
        List<Container> containers =
                GroupState.job(group).getSpec().getTemplate().getSpec().getContainers();
        assertEquals(
                List.of("gpu-0", "gpu-1"),
                containers.stream()
                        .map(container ->
                                container.getResources().getClaims().getFirst().getRequest())
                        .toList());
    }

    @Test
    void podsOfAGroupClaimOneGpuEach() {
        GroupRequest group = new GroupRequest(claimed("A100"), 3, false);
        assertEquals(1, group.gpusOfAPod());
        PodSpec pod = GroupState.job(group).getSpec().getTemplate().getSpec();
        assertEquals(group.id(), pod.getResourceClaims().getFirst().getResourceClaimTemplateName());
        assertEquals(
                GpuClaim.NAME,
                pod.getContainers()
                        .getFirst()
                        .getResources()
                        .getClaims()
                        .getFirst()
                        .getRequest());
    }

    @Test
    void aClaimedGpuNeedsNoLabelsAndIsUsed() {
        KubernetesMachineSpec request = claimed("A100");
        PodSpec pod = pod(request);
        assertNull(pod.getAffinity());
        assertFalse(pod.getContainers().getFirst().getResources().getLimits().containsKey("nvidia.com/gpu"));
        assertEquals(EngineKind.CUDA, request.engine());
    }

    @Test
    void aSliceIsAskedForByItsProfile() {
        var exactly = spec("A100-40GB", "resource-name", "nvidia.com/mig-1g.5gb.me")
                .getDevices()
                .getRequests()
                .getFirst()
                .getExactly();
        assertEquals("mig.nvidia.com", exactly.getDeviceClassName());
        assertEquals(
                "'profile' in device.attributes['gpu.nvidia.com'] &&"
                        + " device.attributes['gpu.nvidia.com'].profile == '1g.5gb+me'",
                exactly.getSelectors().getLast().getCel().getExpression());
    }

    @Test
    void aSliceThatTheGpuDoesNotHaveIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> spec("A100-40GB", "resource-name", "nvidia.com/mig-3g.40gb"));
        assertTrue(refused.getMessage().startsWith("outpost.k8s.resource-name: no A100-40GB has the slice"));
    }

    @Test
    void theClassAndTheSelectorCanBeSet() {
        var exactly = spec(
                        "GTX1080",
                        "device-class",
                        "large.example.com",
                        "gpus.GTX1080.device-selector",
                        "device.attributes['gpu.nvidia.com'].brand == 'Titan'")
                .getDevices()
                .getRequests()
                .getFirst()
                .getExactly();
        assertEquals("large.example.com", exactly.getDeviceClassName());
        assertEquals(1, exactly.getSelectors().size());
    }

    /** The labels of the GPU are unknown, but the possible names of the driver are known. */
    @Test
    void aGpuOfTheUsersIsFoundByItsName() {
        String product = spec("GTX1080")
                .getDevices()
                .getRequests()
                .getFirst()
                .getExactly()
                .getSelectors()
                .getFirst()
                .getCel()
                .getExpression();
        assertTrue(product.contains("'NVIDIA-GeForce-GTX-1080'"), product);
        DesiredState.check(
                MachineSpecFixtures.CATALOGUE.find("GTX1080"),
                MachineSpecFixtures.of("any").config());
    }

    @Test
    void sharedTurnsAreNoDevice() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> spec("A100", "resource-name", "nvidia.com/gpu.shared"));
        assertTrue(refused.getMessage().contains("has no counterpart among devices"), refused::getMessage);
        assertEquals(
                List.of(),
                GpuChoice.deviceClasses(
                        MachineSpecFixtures.CATALOGUE.find("A100"),
                        MachineSpecFixtures.of("A100", "resource-name", "nvidia.com/gpu.shared")
                                .config()));
    }

    @Test
    void anUnknownAlternativeIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> MachineSpecFixtures.of("A100", "alternatives", "H1000"));
        assertTrue(refused.getMessage().startsWith("outpost.k8s.alternatives: "), refused::getMessage);
    }

    // ---- alternatives by extended resource

    @Test
    void nodesWithTheBetterGpuArePreferred() {
        Golden.check("job-alternatives", DesiredState.job(MachineSpecFixtures.of("T4", "alternatives", "L40S")));
    }

    /** The labels of nodes with the GPU are known only from the setting. */
    @Test
    void anAlternativeMayHaveLabelsOfItsOwn() {
        PodPlacement placement = MachineSpecFixtures.of(
                        "T4", "alternatives", "GTX1080", "gpus.GTX1080.node-selector", "gpu=pascal")
                .placement();
        assertTrue(NodeMatch.fits(Map.of(), placement.terms(), Map.of("gpu", "pascal")));
        assertTrue(NodeMatch.fits(Map.of(), placement.terms(), Map.of("nvidia.com/gpu.product", "Tesla-T4")));
        assertFalse(NodeMatch.fits(Map.of(), placement.terms(), Map.of("gpu", "volta")));
    }

    @Test
    void alternativesOfDifferentResourcesAreRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> DesiredState.job(MachineSpecFixtures.of(
                        "A100", "alternatives", "H100", "gpus.H100.resource-name", "nvidia.com/mig-1g.10gb")));
        assertTrue(refused.getMessage().startsWith("outpost.k8s.alternatives: "), refused::getMessage);
    }
}
