package dev.outpost.backend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random clients and random faults on two replicas without threads and a real database, in virtual time; docs/fault-tests.md. A history
 * that breaks a rule is made as short as possible and printed with its seed.
 */
class FaultTest {
    /** Kept in a field, because a logger that is collected loses its level. The level hides injected failures. */
    private static final Logger LOG = Logger.getLogger("dev.outpost.backend");

    private static final long SEED = Long.getLong("outpost.faults.seed", 46);
    private static final int COUNT = Integer.getInteger("outpost.faults.count", 120);
    private static final int HISTORIES = 4;

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.SEVERE);
    }

    @Test
    void fewHistoriesKeepTheRules() {
        try (Search search = new Search(Defect.NONE)) {
            for (int history = 0; history < HISTORIES; history++) {
                search.run(SEED + history, COUNT);
            }
            assertKept(search);
        }
    }

    /** Runs for {@code -Doutpost.faults.time}, by default half an hour, from a seed that is printed. */
    @Test
    @Tag("full")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void manyHistoriesKeepTheRules() {
        long seed = Long.getLong("outpost.faults.seed", System.currentTimeMillis());
        Duration time = Duration.parse(System.getProperty("outpost.faults.time", "PT30M"));
        long begin = System.nanoTime();
        try (Search search = new Search(Defect.NONE)) {
            for (long next = seed; System.nanoTime() - begin < time.toNanos(); next++) {
                search.run(next, COUNT);
            }
            System.out.println("from seed " + seed + " on: " + search.text());
            assertKept(search);
        }
    }

    /** Histories that once broke a rule. */
    static List<List<HistoryStep>> findings() {
        return List.of(
                // A machine that ended while no replica ran was charged for the whole outage.
                List.of(
                        new HistoryStep.Start(0, false, 0),
                        new HistoryStep.Pass(3),
                        new HistoryStep.Kill(0, 0),
                        new HistoryStep.Kill(1, 0),
                        new HistoryStep.KillMachine(0),
                        new HistoryStep.Advance(36_000)),
                // The agreed lifetime of a machine ended during the outage.
                List.of(
                        new HistoryStep.Start(0, false, 10),
                        new HistoryStep.Pass(3),
                        new HistoryStep.Kill(0, 0),
                        new HistoryStep.Kill(1, 0),
                        new HistoryStep.Advance(36_000)),
                // The host lost its power during the outage, so nothing shows when the machine ended.
                List.of(
                        new HistoryStep.Start(0, false, 0),
                        new HistoryStep.Pass(3),
                        new HistoryStep.Kill(0, 0),
                        new HistoryStep.Kill(1, 0),
                        new HistoryStep.KillHost(0),
                        new HistoryStep.KillHost(1),
                        new HistoryStep.Advance(36_000)),
                // A jump of the database's clock made the lease of a lost run shorter, and the next run overlapped it.
                List.of(
                        new HistoryStep.Submit(0, 2, 1_800, 0),
                        new HistoryStep.Pass(3),
                        new HistoryStep.LoseNode(0, 1_200),
                        new HistoryStep.Pass(3),
                        new HistoryStep.StepClock(60),
                        new HistoryStep.Pass(5)),
                // After the clock went back, events made an interval of negative length.
                List.of(
                        new HistoryStep.Start(0, false, 0),
                        new HistoryStep.Pass(3),
                        new HistoryStep.StepClock(-60),
                        new HistoryStep.Stop(0),
                        new HistoryStep.Pass(1)));
    }

    @ParameterizedTest
    @MethodSource
    void findings(List<HistoryStep> steps) {
        try (Search search = new Search(Defect.NONE)) {
            assertEquals(List.of(), Invariants.check(search.run(steps, SEED)));
        }
    }

    /** Runs the steps that the text of a finding names. */
    @Test
    @EnabledIfSystemProperty(named = "outpost.faults.steps", matches = ".+")
    void repeatedHistoryKeepsTheRules() {
        List<Integer> kept = Arrays.stream(
                        System.getProperty("outpost.faults.steps").split(","))
                .map(Integer::valueOf)
                .toList();
        try (Search search = new Search(Defect.NONE)) {
            assertEquals(
                    "",
                    search.repeat(SEED, COUNT, kept).map(Search.Finding::text).orElse(""));
        }
    }

    private static void assertKept(Search search) {
        assertTrue(search.findings().isEmpty(), search::text);
    }
}
