package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.support.EngineKind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class KubernetesMachineSpecTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "Outpost-a", "9lives", "a.b", "a-"})
    void anIdIsADnsLabel(String id) {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> new KubernetesMachineSpec(
                        id, GpuType.ANY, new LifetimePolicy.ClientLease(), "ada", SettingsReader.of(Map.of())));
        assertEquals("id: expected a DNS label that begins with a letter, got \"" + id + "\"", refused.getMessage());
    }

    /** AUTO would not determine which of the two applies. */
    @Test
    void theAllocationIsDecided() {
        KubernetesMachineSpec request = MachineSpecFixtures.of("any");
        var refused = assertThrows(IllegalArgumentException.class, () -> request.with(GpuAllocation.AUTO));
        assertEquals("allocation: expected RESOURCE_CLAIM or EXTENDED_RESOURCE, got AUTO", refused.getMessage());
    }

    @Test
    void lifetimeIsLimited() {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> MachineSpecFixtures.stated("any", Duration.ofHours(3), "maximum-lifetime", "2h"));
        assertEquals(
                "life: PT3H is longer than outpost.k8s.maximum-lifetime = PT2H; ask for less or raise that",
                refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new LifetimePolicy.Stated(Duration.ZERO));
    }

    @Test
    void aMachineThatAsksForAGpuComputesOnIt() {
        assertEquals(EngineKind.CUDA, MachineSpecFixtures.of("A100").engine());
        assertEquals(EngineKind.CUDA, MachineSpecFixtures.of("any").engine());
        assertEquals(
                EngineKind.CPU,
                MachineSpecFixtures.of("A100", "resource-name", "").engine());
        assertEquals(
                EngineKind.REFERENCE,
                MachineSpecFixtures.of("A100", "engine", "reference").engine());
    }

    @Test
    void deadlineIsRoundedUpToSeconds() {
        assertEquals(2, deadline("1500ms"));
        assertEquals(1, deadline("1s"));
        assertEquals(1, deadline("1ms"));
    }

    private static long deadline(String life) {
        return DesiredState.job(MachineSpecFixtures.of("any", "maximum-lifetime", life))
                .getSpec()
                .getActiveDeadlineSeconds();
    }

    @Test
    void invalidRequestIsRefusedBeforeAnyCall() {
        // A cluster may have it as a device, unless the setting rules that out.
        DesiredState.check(
                MachineSpecFixtures.CATALOGUE.find("GTX1080"),
                SettingsReader.of(Map.of(), MachineSpecFixtures.CATALOGUE));
        var config = SettingsReader.of(Map.of("gpu-allocation", "extended-resource"), MachineSpecFixtures.CATALOGUE);
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> DesiredState.check(MachineSpecFixtures.CATALOGUE.find("GTX1080"), config));
        assertEquals(
                "outpost.k8s.gpus.GTX1080.node-selector", refused.getMessage().split(":")[0]);
        var patched = SettingsReader.of(Map.of("patch", "metadata: {name: mine}"));
        assertThrows(IllegalArgumentException.class, () -> DesiredState.check(GpuType.ANY, patched));
        DesiredState.check(GpuType.ANY, SettingsReader.of(Map.of()));
    }
}
