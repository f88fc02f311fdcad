package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the checks of a group of GPUs with GPU kernels that run as C. */
@Tag("full")
class GroupOnEmulatedGpusTest {
    private static final long QUOTA = 1L << 28;
    private static final int SIDE = 64;

    @Test
    void theChecksOfAGroupPass() {
        MockProvider provider = new MockProvider(
                MockSettings.STANDARD.withEngine(EmulatedEngines::open).withQuota(QUOTA));
        new GroupOnGpus(provider, 2, new MachineOptions())
                .ofSide(SIDE)
                .run(2)
                .forEach(result -> assertEquals(CheckOutcome.OK, result.outcome(), result::toString));
    }
}
