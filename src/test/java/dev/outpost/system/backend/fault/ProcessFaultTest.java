package dev.outpost.system.backend.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Shrinker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random clients and {@code kill -9} of real replicas, their database, a worker host, machines and runners; docs/fault-tests.md. The order
 * of events also depends on other threads, so a seed repeats the steps but not all of their effects.
 */
@Tag("full")
class ProcessFaultTest {
    private static final int COUNT = Integer.getInteger("outpost.faults.count", 60);
    private static final int MAX_TRIALS = Integer.getInteger("outpost.faults.trials", 8);

    @TempDir
    private Path folder;

    private int histories;

    /** Runs for {@code -Doutpost.faults.time}, by default half an hour, from a seed that is printed. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void histories() {
        long seed = Long.getLong("outpost.faults.seed", System.currentTimeMillis());
        Duration time = Duration.parse(System.getProperty("outpost.faults.time", "PT30M"));
        long begin = System.nanoTime();
        for (long next = seed; next == seed || System.nanoTime() - begin < time.toNanos(); next++) {
            System.out.println("seed " + next);
            List<ProcessStep> steps = ProcessStep.draw(next, COUNT);
            Map<String, String> violations = run(steps, next);
            assertEquals(Map.of(), violations, next + " breaks rules; " + shortest(steps, next, violations));
        }
        System.out.println(histories + " histories from seed " + seed + " on keep the rules");
    }

    /** Runs the steps of a seed that {@code -Doutpost.faults.steps} selects. */
    @Test
    @EnabledIfSystemProperty(named = "outpost.faults.steps", matches = ".+")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void repeatedHistory() {
        long seed = Long.getLong("outpost.faults.seed", 46);
        List<ProcessStep> steps = ProcessStep.draw(seed, COUNT);
        List<ProcessStep> some = Arrays.stream(
                        System.getProperty("outpost.faults.steps").split(","))
                .map(number -> steps.get(Integer.parseInt(number)))
                .toList();
        assertEquals(Map.of(), run(some, seed));
    }

    private String shortest(List<ProcessStep> steps, long seed, Map<String, String> violations) {
        if (violations.isEmpty()) {
            return "";
        }
        List<Integer> kept = new Shrinker<Integer>(
                        MAX_TRIALS,
                        some -> run(some.stream().map(steps::get).toList(), seed).keySet().stream()
                                .anyMatch(violations::containsKey))
                .shrink(IntStream.range(0, steps.size()).boxed().toList());
        return "repeat: ./outpost test ProcessFaultTest.repeatedHistory -Doutpost.faults.seed=" + seed
                + " -Doutpost.faults.count=" + COUNT + " -Doutpost.faults.steps="
                + kept.stream().map(Object::toString).collect(Collectors.joining(",")) + "\n"
                + kept.stream().map(number -> steps.get(number).toString()).collect(Collectors.joining("\n"));
    }

    private Map<String, String> run(List<ProcessStep> steps, long seed) {
        try {
            Path own = Files.createDirectories(folder.resolve("history-" + histories++));
            try (ProcessHistory history = new ProcessHistory(own, seed)) {
                return history.run(steps);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
