package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.session.RuntimeHost;
import org.junit.jupiter.api.Test;

/** A program that closes nothing: the garbage collector finds dead tensors, and the machine's memory stays bounded. */
class UnclosedLoopTest {
    private static final long HIGH_WATER = 8L << 20;
    private static final int STEPS = 100_000;

    @Test
    void aLoopThatClosesNothingStaysBounded() {
        MockProvider provider = new MockProvider(MockSettings.STANDARD);
        MachineOptions options = new MachineOptions().highWaterBytes(HIGH_WATER);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options).awaitReady()) {
            RuntimeHost host = provider.machines().getLast().host();
            Tensor x = machine.zeros(64);
            long peak = 0;
            for (int step = 0; step < STEPS; step++) {
                x = x.mul(0.5).add(1).relu();
                peak = step % 500 == 0 ? Math.max(peak, host.liveBytes()) : peak;
            }
            assertEquals(2.0, x.mean().itemDouble(), 1e-6);
            assertTrue(peak <= 2 * HIGH_WATER, "remote bytes peaked at " + peak);
        }
    }
}
