package dev.outpost.gpucheck.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The measurement for GPUs runs; its speed here has no meaning. */
class AttentionSpeedTest {
    @Test
    void bothWaysAreMeasured() {
        try (Engine engine = EmulatedEngines.open()) {
            GpuFinding measurement = new AttentionSpeed(engine, 1, 65, 64).measure();
            assertEquals(
                    Set.of("forward TFLOP/s", "backward TFLOP/s"),
                    measurement.figures().keySet());
            assertTrue(measurement.figures().values().stream().allMatch(figure -> figure > 0), measurement::detail);
            assertTrue(measurement.detail().startsWith("1 heads of 64, 65 keys: "), measurement::detail);
        }
    }
}
