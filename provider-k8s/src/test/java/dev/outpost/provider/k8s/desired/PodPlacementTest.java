package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.check.NodeMatch;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PodPlacementTest {
    private static final Map<String, String> T4 = Map.of("nvidia.com/gpu.product", "Tesla-T4", "pool", "gpu");

    @Test
    void theResourceOfTheGpuWinsOverTheGeneralOne() {
        PodPlacement placement = MachineSpecFixtures.of(
                        "T4", "resource-name", "x/general", "gpus.T4.resource-name", "x/own")
                .placement();
        assertEquals(Optional.of("x/own"), placement.resource());
        assertEquals(
                Optional.of("x/general"),
                MachineSpecFixtures.of("L4", "resource-name", "x/general")
                        .placement()
                        .resource());
    }

    @Test
    void labelsThatAreSetTakeThePlaceOfThoseThatAreKnown() {
        PodPlacement placement = MachineSpecFixtures.of("T4", "gpus.T4.node-selector", "gpu=turing")
                .placement();
        assertFalse(fits(placement, T4));
        assertTrue(fits(placement, Map.of("gpu", "turing")));
    }

    @Test
    void generalNodeLabelsAreAdded() {
        assertTrue(
                fits(MachineSpecFixtures.of("T4", "node-selector", "pool=gpu").placement(), T4));
        assertFalse(
                fits(MachineSpecFixtures.of("T4", "node-selector", "pool=other").placement(), T4));
        assertFalse(
                fits(MachineSpecFixtures.of("L4", "node-selector", "pool=gpu").placement(), T4));
    }

    @Test
    void aMachineWithoutAGpuRunsAnywhere() {
        PodPlacement placement =
                MachineSpecFixtures.of("A100", "resource-name", "").placement();
        assertTrue(fits(placement, Map.of()));
        assertEquals(Optional.empty(), placement.resource());
    }

    /** It needs no labels either: only requests whose nodes cannot be distinguished are refused. */
    @Test
    void configuredLabelsSufficeForAnUnknownGpu() {
        assertTrue(fits(MachineSpecFixtures.of("GTX1080", "resource-name", "").placement(), Map.of()));
    }

    @Test
    void tolerationsAreMerged() {
        PodPlacement placement = MachineSpecFixtures.of("T4", "tolerations", "a,b", "gpus.T4.tolerations", "b,c")
                .placement();
        assertEquals(
                "[a, b, c]",
                placement.tolerations().stream()
                        .map(toleration -> toleration.getKey())
                        .toList()
                        .toString());
    }

    private static boolean fits(PodPlacement placement, Map<String, String> labels) {
        return NodeMatch.fits(placement.nodeSelector(), placement.terms(), labels);
    }
}
