package dev.outpost.cli.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import org.junit.jupiter.api.Test;

/** On machines in this JVM, which stand for GPUs. */
class GroupOnGpusTest {
    @Test
    void aGroupThatComputesRightIsTold() {
        CheckResult result = new GroupOnGpus(new MockProvider(), 2, new MachineOptions()).run();
        assertEquals(CheckOutcome.OK, result.outcome(), result::toString);
        assertTrue(result.figures().get("seconds") > 0, result::toString);
    }

    @Test
    void machinesThatAreNotThereFailByTheirReason() {
        MachineOptions options = new MachineOptions().option("failure", "this host has one GPU");
        CheckResult result = new GroupOnGpus(new MockProvider(), 2, options).run();
        assertEquals(CheckOutcome.FAILED, result.outcome());
        assertTrue(result.toString().contains("this host has one GPU"), result::toString);
    }
}
