package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.torch.ParityOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Values and gradients at zeros of both signs, infinities, NaN, ties and bounds are those of PyTorch, but for the cases that
 * known-differences.txt beside the pack names with a reason. {@code ./outpost parity --torch --singular FOLDER} writes the pack.
 */
class SingularGradientsTest {
    @Test
    void theCpuAnswersAsPyTorchDoes() throws IOException {
        assertOnlyKnownDiffer("cpu");
    }

    @Test
    void theReferenceAnswersAsPyTorchDoes() throws IOException {
        assertOnlyKnownDiffer("reference");
    }

    private static void assertOnlyKnownDiffer(String engine) throws IOException {
        Map<String, String> differing = JudgedPack.judge(engine, "/parity/singular/cases.jsonl").outcomes().stream()
                .filter(outcome -> !outcome.passed())
                .collect(Collectors.toMap(ParityOutcome::id, Object::toString, (one, other) -> one, TreeMap::new));
        Map<String, String> known =
                Files.readAllLines(JudgedPack.resource("/parity/singular/known-differences.txt")).stream()
                        .map(line -> line.split("\t", 2))
                        .collect(Collectors.toMap(
                                columns -> columns[0], columns -> columns[1], (one, other) -> one, TreeMap::new));
        assertEquals(
                String.join("\n", known.keySet()),
                String.join("\n", differing.keySet()),
                () -> differing.entrySet().stream()
                        .filter(each -> !known.containsKey(each.getKey()))
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining("\n")));
    }
}
