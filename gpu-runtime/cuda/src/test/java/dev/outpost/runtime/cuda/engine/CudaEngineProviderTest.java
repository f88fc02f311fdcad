package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.driver.CudaDriver;
import dev.outpost.runtime.cuda.driver.NoDriverException;
import dev.outpost.runtime.engine.EngineProvider;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.EngineUnavailableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CudaEngineProviderTest {
    /** Found by its name, and no other engine takes its place. */
    @Test
    void withoutADriverItSaysSo() {
        assumeTrue(isWithoutDriver(), "there is a CUDA driver here");
        EngineUnavailableException refusal = assertThrows(
                EngineUnavailableException.class, () -> EngineProvider.open("cuda", EngineSettings.DEFAULT));
        assertEquals(
                "cuda: libcuda.so.1 not found: With an NVIDIA GPU, install its driver; in a container, start it with the"
                        + " GPU (docker run --gpus all, or nvidia.com/gpu in a pod's limits).",
                refusal.getMessage());
    }

    private static boolean isWithoutDriver() {
        try {
            CudaDriver.load();
            return false;
        } catch (NoDriverException missing) {
            return missing.isMissing();
        }
    }
}
