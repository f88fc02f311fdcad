package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.examples.ExplainAndProfile;
import dev.outpost.examples.LayersBySignals;
import dev.outpost.examples.PipelineOverMachines;
import dev.outpost.examples.ProgramsAndScans;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The examples of groups, programs and explanations run, and print correct results. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class UsageExamplesTest {
    private static final String LOG = "outpost.instruction.log";
    private static final String SIGNALS = "../../examples/signals.yaml";
    private static final Pattern LOSS = Pattern.compile("step \\d+: loss (\\S+)");
    private static final Pattern PAIR = Pattern.compile("loss (\\S+), on one machine (\\S+)");
    private static final Pattern CALLS = Pattern.compile("6 calls: (\\S+), expected (\\S+)");
    private static final Pattern RUN = Pattern.compile("run (\\d+): (\\S+)");
    private static final Pattern STABLE = Pattern.compile("stable after (\\d+) of at most 100 runs: (\\S+)");

    @TempDir
    private Path folder;

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static double number(MatchResult match, int group) {
        return Double.parseDouble(match.group(group));
    }

    @Test
    void layersBySignals() throws Exception {
        String printed = ExampleOutput.of(LayersBySignals::main, SIGNALS);
        assertTrue(printed.contains("features: shard(0) at [0, 24, 48, 72, 96] on [0, 1, 2, 3]"), printed);
        List<MatchResult> losses = matches(LOSS, printed);
        assertEquals(2, losses.size(), printed);
        assertTrue(number(losses.get(1), 1) < number(losses.get(0), 1) / 2, printed);

        Path alone = Files.writeString(folder.resolve("alone.yaml"), """
                hidden: {shard: {axis: 0, workers: [0]}, backward: hidden}
                head: {shard: {axis: 0, workers: [0]}, backward: head}
                """);
        String other = ExampleOutput.of(LayersBySignals::main, alone.toString());
        assertTrue(other.contains("on [0]"), other);
        for (int step = 0; step < 2; step++) {
            assertEquals(
                    number(losses.get(step), 1), number(matches(LOSS, other).get(step), 1), 1e-3, other);
        }
    }

    @Test
    void pipelineOverMachines() throws Exception {
        String printed = ExampleOutput.of(PipelineOverMachines::main);
        assertTrue(printed.contains("2 stages on 2 devices, 8 micro-batches"), printed);
        List<MatchResult> losses = matches(PAIR, printed);
        assertEquals(10, losses.size(), printed);
        losses.forEach(pair -> assertEquals(number(pair, 2), number(pair, 1), 1e-4, printed));
        assertTrue(number(losses.getLast(), 1) < number(losses.getFirst(), 1), printed);
    }

    @Test
    void programsAndScans() throws Exception {
        String printed = ExampleOutput.of(ProgramsAndScans::main);
        MatchResult calls = matches(CALLS, printed).getFirst();
        double expected = number(calls, 2);
        assertEquals(expected, number(calls, 1), expected * 1e-5, printed);
        List<MatchResult> runs = matches(RUN, printed);
        assertEquals(6, runs.size(), printed);
        assertEquals(number(calls, 1), number(runs.getLast(), 2), 0.011, printed);
        MatchResult stable = matches(STABLE, printed).getFirst();
        assertTrue(number(stable, 1) < 20, printed);
        assertEquals(expected, number(stable, 2), expected * 1e-5, printed);
    }

    @Test
    void explainAndProfile() throws Exception {
        Path timeline = folder.resolve("trace.json");
        Path log = folder.resolve("log.txt");
        System.setProperty(LOG, log.toString());
        String printed;
        try {
            printed = ExampleOutput.of(ExplainAndProfile::main, timeline.toString());
        } finally {
            System.clearProperty(LOG);
        }
        assertTrue(printed.contains("matmul"), printed);
        assertTrue(
                matches(Pattern.compile("(\\d+) of them repeated"), printed).stream()
                        .allMatch(match -> number(match, 1) > 20),
                printed);
        JsonNode trace = JsonMapper.builder().build().readTree(timeline.toFile());
        assertTrue(trace.path("traceEvents").size() > 100, printed);
        assertTrue(printed.contains(timeline + " has " + Files.size(timeline) + " bytes"), printed);
        assertTrue(Files.readString(log).contains("| RECORD | "), "the log has no recorded instruction");
    }
}
