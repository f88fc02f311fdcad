package dev.outpost.backend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random clients and random faults on two replicas without threads and a real database, in virtual time; docs/fault-tests.md. A history that
 * breaks a rule is made as short as possible and printed with its seed.
 */
class FaultTest {
    /** Held, since a level is forgotten with its logger. Injected failures are no news. */
    private static final Logger LOG = Logger.getLogger("dev.outpost.backend");

    private static final long SEED = Long.getLong("outpost.faults.seed", 46);
    private static final int COUNT = Integer.getInteger("outpost.faults.count", 120);
    private static final int HISTORIES = 10;

    @BeforeAll
    static void beQuiet() {
        LOG.setLevel(Level.SEVERE);
    }

    @Test
    void fewHistoriesKeepTheRules() {
        Search search = new Search(Defect.NONE);
        for (int history = 0; history < HISTORIES; history++) {
            search.run(SEED + history, COUNT);
        }
        assertKept(search);
    }

    /** For {@code -Doutpost.faults.time}, an hour unless it says otherwise, from a seed that is printed. */
    @Test
    @Tag("full")
    void manyHistoriesKeepTheRules() {
        long seed = Long.getLong("outpost.faults.seed", System.currentTimeMillis());
        Duration time = Duration.parse(System.getProperty("outpost.faults.time", "PT30M"));
        long begin = System.nanoTime();
        Search search = new Search(Defect.NONE);
        int histories = 0;
        while (System.nanoTime() - begin < time.toNanos()) {
            search.run(seed + histories++, COUNT);
        }
        System.out.println("from seed " + seed + " on: " + search.text());
        assertKept(search);
    }

    /** The one that a finding names, or else the first. */
    @Test
    void repeatedHistoryKeepsTheRules() {
        List<Integer> kept = Optional.ofNullable(System.getProperty("outpost.faults.steps"))
                .map(numbers -> Arrays.stream(numbers.split(","))
                        .map(Integer::valueOf)
                        .toList())
                .orElseGet(() -> IntStream.range(0, COUNT).boxed().toList());
        assertEquals(
                "", new Search(Defect.NONE).repeat(SEED, COUNT, kept).map(Search.Finding::text).orElse(""));
    }

    private static void assertKept(Search search) {
        assertTrue(search.findings().isEmpty(), search::text);
    }
}
