package dev.outpost.provider.k8s.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.AllocationChoice.ClassState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class AllocationChoiceTest {
    private static final Optional<String> GPU = Optional.of("nvidia.com/gpu");
    private static final List<String> WHOLE = List.of(DeviceKind.WHOLE);

    private static AllocationChoice auto(ClassState state) {
        return AllocationChoice.of(GpuAllocation.AUTO, GPU, WHOLE, name -> state);
    }

    @Test
    void aDeviceClassThatIsThereIsAsked() {
        assertEquals(
                new AllocationChoice(GpuAllocation.RESOURCE_CLAIM, "the cluster has the DeviceClass gpu.nvidia.com"),
                auto(ClassState.THERE));
    }

    @Test
    void elsewhereTheExtendedResourceIsAsked() {
        assertEquals(
                new AllocationChoice(
                        GpuAllocation.EXTENDED_RESOURCE,
                        "the cluster has no DeviceClass gpu.nvidia.com in resource.k8s.io/v1"),
                auto(ClassState.MISSING));
        assertEquals(
                new AllocationChoice(
                        GpuAllocation.EXTENDED_RESOURCE, "this user may not get the DeviceClass gpu.nvidia.com"),
                auto(ClassState.FORBIDDEN));
        assertFalse(AllocationChoice.of(GpuAllocation.AUTO, GPU, List.of(), name -> fail("nothing to look for"))
                .isClaim());
    }

    @Test
    void aMachineWithoutAGpuClaimsNone() {
        for (GpuAllocation setting : GpuAllocation.values()) {
            assertFalse(AllocationChoice.of(setting, Optional.empty(), WHOLE, name -> fail("asked"))
                    .isClaim());
        }
    }

    @Test
    void aSettingForcesEitherWayWithoutAsking() {
        assertTrue(AllocationChoice.of(GpuAllocation.RESOURCE_CLAIM, GPU, WHOLE, name -> fail("asked"))
                .isClaim());
        assertFalse(AllocationChoice.of(GpuAllocation.EXTENDED_RESOURCE, GPU, WHOLE, name -> fail("asked"))
                .isClaim());
    }
}
