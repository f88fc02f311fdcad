package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.cpu.ChainedEngine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.plan.rewrite.Rewrite;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values and faults of planned segments equal those of one kernel per instruction, bit by bit. */
class PlannedAsPlainTest {
    private static final long FIRST_SEED = 20_261;
    private static final int INSTRUCTIONS = 150;
    private static final Pattern FAILED_INDEX =
            Pattern.compile("index -?\\d+ is out of bounds for dimension \\d+ with size \\d+");
    private static final CpuEngine ENGINE = new CpuEngine();
    private static final CpuEngine CHAINED = ChainedEngine.of(2);
    private static final RuntimeHost PLANNED = host(Planner.of(ENGINE));
    private static final RuntimeHost PLAIN = host(Planner.plain(ENGINE));

    /** Hosts on which the planner applies only one of its optimizations. */
    private static final Map<String, RuntimeHost> IN_PARTS = inParts();

    private static Map<String, RuntimeHost> inParts() {
        Map<String, RuntimeHost> hosts = new LinkedHashMap<>();
        for (Rewrite rewrite : Rewrite.ALL) {
            String name = rewrite.getClass().getSimpleName();
            hosts.put(name, host(Planner.with(ENGINE, List.of(rewrite), false, false)));
        }
        hosts.put("fusion", host(Planner.with(ENGINE, List.of(), true, false)));
        hosts.put("thrift", host(Planner.with(ENGINE, List.of(), false, true)));
        hosts.put("fusion and thrift", host(Planner.with(ENGINE, List.of(), true, true)));
        hosts.put("fusion and chains", host(CHAINED, Planner.with(CHAINED, List.of(), true, false)));
        return hosts;
    }

    private static RuntimeHost host(Planner planner) {
        return host(ENGINE, planner);
    }

    private static RuntimeHost host(CpuEngine engine, Planner planner) {
        return new RuntimeHost(
                RuntimeContext.of(engine, planner, RuntimeSettings.withQuota(1 << 28), System::nanoTime));
    }

    @AfterAll
    static void close() {
        PLANNED.close();
        PLAIN.close();
        IN_PARTS.values().forEach(RuntimeHost::close);
        ENGINE.close();
        CHAINED.close();
    }

    @Test
    void randomPrograms() throws InterruptedException {
        compare(60, UnaryOperator.identity());
    }

    /** A plan runs the later of two instructions first, and both fail by one index. */
    @Test
    void aFaultOfTwoInstructionsIsThatOfTheFirst() throws InterruptedException {
        compareOne(20_494, UnaryOperator.identity());
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(3000, PlannedAsPlainTest::withoutInstruction);
    }

    private static void compare(int programs, UnaryOperator<byte[]> told) throws InterruptedException {
        long before = PLANNED.stats().work().kernels();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + programs; seed++) {
            compareOne(seed, told);
        }
        // Otherwise nothing was compared.
        assertTrue(
                PLANNED.stats().work().kernels() - before < PLAIN.stats().work().kernels() / 2);
        assertEquals(0, PLANNED.liveBytes());
    }

    /**
     * An index out of range is one failure for all instructions of a run, and names the first of them. The instruction that it names in
     * plain code may have been removed by a rewrite.
     */
    private static byte[] withoutInstruction(byte[] seen) {
        Matcher failure = FAILED_INDEX.matcher(new String(seen, StandardCharsets.UTF_8));
        return failure.find() ? failure.group().getBytes(StandardCharsets.UTF_8) : seen;
    }

    private static void compareOne(long seed, UnaryOperator<byte[]> told) throws InterruptedException {
        RandomSegments program = RandomSegments.of(seed, INSTRUCTIONS);
        Map<Long, byte[]> plain = RecordedProgramRun.values(PLAIN, program);
        assertSame(plain, RecordedProgramRun.values(PLANNED, program), told, "as planned, with seed " + seed);
        for (Map.Entry<String, RuntimeHost> part : IN_PARTS.entrySet()) {
            assertSame(
                    plain,
                    RecordedProgramRun.values(part.getValue(), program),
                    told,
                    "with " + part.getKey() + " alone, with seed " + seed);
        }
    }

    private static void assertSame(
            Map<Long, byte[]> expected, Map<Long, byte[]> actual, UnaryOperator<byte[]> told, String how) {
        expected.forEach((value, bytes) -> assertArrayEquals(
                told.apply(bytes), told.apply(actual.get(value)), () -> "value " + value + " " + how));
    }
}
