package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.ComputeCapability;
import dev.outpost.provider.GpuType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
public class MachineNamesTest {
    @ParameterizedTest
    @CsvSource({"A100-80GB, a100-80gb", "any, any", "RTX_4090.x, rtx-4090-x", "9-, 9", "-._, gpu"})
    void theNameOfTheGpuIsInTheId(String gpu, String word) {
        String id = new MachineNames(new Random(1)).draw(type(gpu));
        assertTrue(id.matches("outpost-" + word + "-[0-9a-hjkmnp-tv-z]{8}"), id);
    }

    /** The Job's controller adds six letters for the pod, which is a DNS label too. */
    @Test
    void aLongNameIsCutSoThatThePodsNameFits() {
        String id = new MachineNames(new Random(1)).draw(type("x".repeat(39) + "-" + "y".repeat(99)));
        assertTrue((id + "-abcde").matches("[a-z]([-a-z0-9]{0,61}[a-z0-9])?"), id);
        assertEquals("outpost-" + "x".repeat(39), id.substring(0, id.lastIndexOf('-')));
    }

    @Test
    void theSameRandomnessDrawsTheSame() {
        assertEquals(
                new MachineNames(new Random(7)).draw(GpuType.ANY), new MachineNames(new Random(7)).draw(GpuType.ANY));
        MachineNames names = new MachineNames(new Random(7));
        assertNotEquals(names.draw(GpuType.ANY), names.draw(GpuType.ANY));
    }

    public static GpuType type(String name) {
        return new GpuType(name, List.of(), List.of(), new ComputeCapability(0, 0), name);
    }
}
