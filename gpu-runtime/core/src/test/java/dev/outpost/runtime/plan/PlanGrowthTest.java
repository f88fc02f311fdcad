package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time for a plan grows about in proportion to its graph: code that compares each instruction with all others would take seconds. */
@Tag("full")
class PlanGrowthTest {
    private static final int SMALL = 2_000;
    private static final int TIMES = 16;
    private static final int RUNS = 4;

    /** The allowed growth for 16 times the instructions: with log n and caches it is 20 to 65, with the square of n it would be 256. */
    private static final int MAX_TIMES = 128;

    @ParameterizedTest
    @EnumSource
    void planningTimeIsAboutLinear(GraphShapes shape) {
        check(shape, false);
        check(shape, true);
    }

    private static void check(GraphShapes shape, boolean unites) {
        Planner planner = Planner.of(new IdleEngine(unites));
        for (int warmUp = 0; warmUp < 10; warmUp++) {
            planner.plan(shape.graph(SMALL / 4), true, planner.defers());
        }
        long small = cpuNanos(planner, shape.graph(SMALL));
        long large = cpuNanos(planner, shape.graph(TIMES * SMALL));
        assertTrue(
                large <= MAX_TIMES * small,
                () -> "a plan of " + SMALL + " instructions took " + small / 1_000 + " us, of " + TIMES
                        + " times as many " + large / 1_000 + " us");
    }

    /** The minimum of several runs, to exclude the load of other programs. */
    private static long cpuNanos(Planner planner, Graph graph) {
        long min = Long.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            planner.plan(graph, true, planner.defers());
            min = Math.min(min, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return min;
    }
}
