package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.torch.OpScore;
import dev.outpost.torch.ParityReport;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ops that answer every case of the pack as PyTorch does, on every engine, are those in whole-ops.txt. */
class WholeOpsTest {
    private static Set<String> listed;
    private static Map<String, List<OpScore>> scores;

    @BeforeAll
    static void judgeTheWholePack() throws IOException {
        listed = new TreeSet<>(Files.readAllLines(JudgedPack.resource("/parity/whole-ops.txt")));
        scores = Map.of("cpu", scores("cpu"), "reference", scores("reference"));
    }

    private static List<OpScore> scores(String engine) {
        return ParityReport.of(JudgedPack.on(engine).outcomes()).perOp();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "reference"})
    void listedOpsAgreeInEveryCase(String engine) {
        assertEquals(
                List.of(),
                scores.get(engine).stream()
                        .filter(score -> !score.allPassed() && listed.contains(score.op()))
                        .toList());
    }

    @Test
    void opsThatAgreeInEveryCaseAreListed() throws IOException {
        Set<String> roundings = ParityKnownDifferencesTest.roundings();
        Set<String> whole = whole("cpu");
        whole.retainAll(whole("reference"));
        whole.removeAll(listed);
        whole.removeIf(op -> roundings.stream().anyMatch(id -> id.startsWith(op + "/") || id.startsWith(op + ".")));
        assertEquals(Set.of(), whole, "add them to whole-ops.txt");
    }

    @Test
    void theListKnowsTheOps() {
        Set<String> unknown = new TreeSet<>(listed);
        scores.get("cpu").forEach(score -> unknown.remove(score.op()));
        assertEquals(Set.of(), unknown);
    }

    private static Set<String> whole(String engine) {
        Set<String> whole = new TreeSet<>();
        scores.get(engine).stream().filter(OpScore::allPassed).map(OpScore::op).forEach(whole::add);
        return whole;
    }
}
