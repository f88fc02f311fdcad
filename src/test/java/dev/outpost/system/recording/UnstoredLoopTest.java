package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A program whose handles represent much more memory than the machine stores is not delayed by this. */
class UnstoredLoopTest {
    private static final long HIGH_WATER = 16L << 20;
    private static final long ELEMENTS = 1 << 16;
    private static final int STEPS = 60;
    private static final int REPETITIONS = 60;

    /** The raised mark leaves room for a few. */
    private static final long FEW_COLLECTIONS = 12;

    @Test
    void plainCodeDoesNotCollectForWhatIsNotStored() {
        MockProvider provider = new MockProvider(MockSettings.STANDARD);
        MachineOptions options = new MachineOptions().highWaterBytes(HIGH_WATER);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options).awaitReady()) {
            Tensor x = machine.ones(ELEMENTS);
            long before = collections();
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
                assertEquals(1.0, repeat(x).mean().itemDouble(), 1e-5);
            }
            long asked = collections() - before;
            assertTrue(asked <= FEW_COLLECTIONS, () -> "collected " + asked + " times");
            assertTrue(machine.stats().liveBytes() <= HIGH_WATER, () -> "stored " + machine.stats());
        }
    }

    private static Tensor repeat(Tensor x) {
        Tensor y = x;
        for (int step = 0; step < STEPS; step++) {
            y = y.mul(0.5).add(0.5);
        }
        return y;
    }

    /** The number of full collections; only these are requested. */
    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> collector.getName().contains("Old")
                        || collector.getName().contains("MarkSweep"))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
