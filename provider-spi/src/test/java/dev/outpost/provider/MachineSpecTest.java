package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineSpecTest {
    private static final GpuType T4 = GpuCatalogue.standard().find("T4");

    @Test
    void machineIsNamedAfterItsGpu() {
        assertEquals(new MachineSpec(T4, 1, Map.of(), "T4"), MachineSpec.of(T4));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 0, -1})
    void takesOneGpuOnly(int gpuCount) {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> new MachineSpec(T4, gpuCount, Map.of(), "pair"));
        assertEquals("gpuCount: only one GPU per machine is supported, got " + gpuCount, refused.getMessage());
    }

    @Test
    void keepsItsOwnCopyOfTheOptions() {
        Map<String, String> options = new HashMap<>(Map.of("delay", "1s"));
        MachineSpec spec = new MachineSpec(T4, 1, options, "slow");
        options.clear();
        assertEquals(Map.of("delay", "1s"), spec.options());
    }

    @Test
    void needsAName() {
        assertThrows(IllegalArgumentException.class, () -> new MachineSpec(T4, 1, Map.of(), " "));
    }
}
