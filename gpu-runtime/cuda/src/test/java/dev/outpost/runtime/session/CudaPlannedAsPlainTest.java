package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a GPU, too, fused instructions have the same bits as separate ones, and sessions leave nothing behind. */
class CudaPlannedAsPlainTest {
    private static final int INSTRUCTIONS = 60;
    private static final int TIMES = 3;
    private static final Duration SOON = Await.GUARD;

    @Test
    void randomPrograms() throws InterruptedException {
        compare(1, 1);
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(2, 40);
    }

    /** Different programs in each run; a failure names the seed, and the property makes the program of that seed the first one. */
    @Test
    @Tag("full")
    void randomProgramsThatNobodyHasSeen(@TempDir Path folder) throws InterruptedException {
        long first = Long.getLong("outpost.random.seed", System.nanoTime());
        int programs = Integer.getInteger("outpost.random.programs", 20);
        compare(EmulatedEngines.open(EngineSettings.withKernels(folder)), first, first + programs - 1);
    }

    /** Each session runs its program several times, so that its units become graphs. */
    @Test
    void randomProgramsAgainAndAgain() throws InterruptedException {
        repeat(11, 11);
    }

    @Test
    @Tag("full")
    void manyRandomProgramsAgainAndAgain() throws InterruptedException {
        repeat(12, 60);
    }

    private static void repeat(long from, long to) throws InterruptedException {
        EmulatedGpu gpu = new EmulatedGpu(1L << 28);
        try (Engine engine = EmulatedEngines.over(gpu);
                RuntimeHost planned = host(engine, Planner.of(engine));
                RuntimeHost plain = host(engine, Planner.plain(engine))) {
            for (long seed = from; seed <= to; seed++) {
                RandomSegments program = RandomSegments.of(seed, INSTRUCTIONS);
                Map<Long, byte[]> expected = RecordedProgramRun.values(plain, program);
                for (Map<Long, byte[]> actual : RecordedProgramRun.values(planned, program, TIMES)) {
                    requireSame(expected, actual, seed);
                }
            }
            assertTrue(planned.awaitIdle(SOON));
            assertEquals(0, planned.liveBytes());
            assertEquals(0, planned.stats().defects());
        }
        assertTrue(gpu.calls().contains("launch graph"));
        assertEquals(0, gpu.liveGraphs());
        assertEquals(0, gpu.liveBlocks());
    }

    private static void compare(long from, long to) throws InterruptedException {
        compare(EmulatedEngines.open(), from, to);
    }

    private static void compare(Engine opened, long from, long to) throws InterruptedException {
        try (Engine engine = opened;
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
        return new RuntimeHost(
                RuntimeContext.of(engine, planner, RuntimeSettings.withQuota(1 << 28), System::nanoTime));
    }

    private static void compare(RuntimeHost planned, RuntimeHost plain, long seed) throws InterruptedException {
        RandomSegments program = RandomSegments.of(seed, INSTRUCTIONS);
        requireSame(RecordedProgramRun.values(plain, program), RecordedProgramRun.values(planned, program), seed);
    }

    private static void requireSame(Map<Long, byte[]> expected, Map<Long, byte[]> actual, long seed) {
        for (Map.Entry<Long, byte[]> value : expected.entrySet()) {
            assertArrayEquals(
                    value.getValue(),
                    actual.get(value.getKey()),
                    () -> "value " + value.getKey() + " of the program with seed " + seed);
        }
    }
}
