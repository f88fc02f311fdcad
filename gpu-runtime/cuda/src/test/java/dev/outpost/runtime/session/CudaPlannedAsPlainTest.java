package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.Planner;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a GPU, too, what is fused has the very bits of what is not, and sessions leave nothing behind. */
class CudaPlannedAsPlainTest {
    private static final int INSTRUCTIONS = 60;
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void randomPrograms() throws InterruptedException {
        compare(1, 2);
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(3, 40);
    }

    private static void compare(long from, long to) throws InterruptedException {
        try (Engine engine = EmulatedEngines.open();
                RuntimeHost planned = host(engine, Planner.of(engine));
                RuntimeHost plain = host(engine, Planner.plain(engine))) {
            for (long seed = from; seed <= to; seed++) {
                compare(planned, plain, seed);
            }
            assertTrue(planned.stats().work().kernels() < plain.stats().work().kernels());
            assertTrue(planned.awaitIdle(SOON));
            assertEquals(0, planned.liveBytes());
            assertEquals(0, planned.stats().defects());
        }
    }

    private static RuntimeHost host(Engine engine, Planner planner) {
        return new RuntimeHost(Machine.of(engine, planner, RuntimeSettings.withQuota(1 << 28), System::nanoTime));
    }

    private static void compare(RuntimeHost planned, RuntimeHost plain, long seed) throws InterruptedException {
        RandomProgram program = RandomProgram.of(seed, INSTRUCTIONS);
        Map<Long, byte[]> fused = ProgramRun.values(planned, program);
        for (Map.Entry<Long, byte[]> value : ProgramRun.values(plain, program).entrySet()) {
            assertArrayEquals(
                    value.getValue(),
                    fused.get(value.getKey()),
                    () -> "value " + value.getKey() + " of the program with seed " + seed);
        }
    }
}
