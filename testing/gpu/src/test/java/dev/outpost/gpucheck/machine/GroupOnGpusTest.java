package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checks on machines in this JVM, which stand for GPUs. */
class GroupOnGpusTest {
    private static final int SIDE = 256;

    @Test
    void aGroupThatComputesRightIsTold() {
        List<CheckResult> results = new GroupOnGpus(new MockProvider(), 2, new MachineOptions())
                .ofSide(SIDE)
                .run(2);
        assertEquals(3, results.size());
        results.forEach(result -> assertEquals(CheckOutcome.OK, result.outcome(), result::toString));
        assertTrue(results.getFirst().figures().get("seconds") > 0, results::toString);
    }

    @Test
    void aHostWithFewerGpusSaysSo() {
        CheckResult result = new GroupOnGpus(new MockProvider(), 4, new MachineOptions())
                .run(1)
                .getFirst();
        assertEquals(CheckOutcome.ABSENT, result.outcome());
        assertEquals("this host has 1 GPUs, and 4 are asked for", result.detail());
    }

    @Test
    void machinesThatDoNotStartFailByTheirReason() {
        MachineOptions options = new MachineOptions().option("failure", "the driver is gone");
        CheckResult result =
                new GroupOnGpus(new MockProvider(), 2, options).run(2).getFirst();
        assertEquals(CheckOutcome.FAILED, result.outcome());
        assertTrue(result.toString().contains("the driver is gone"), result::toString);
    }
}
