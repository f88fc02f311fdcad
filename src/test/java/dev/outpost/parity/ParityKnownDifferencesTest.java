package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.torch.ParityOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every case of an existing op has PyTorch's answer, errors included, except those in known-differences.txt: a case, a tab, and the
 * reason. A difference by rounding may depend on the processor, by the BLAS.
 */
class ParityKnownDifferencesTest {
    private static final String ROUNDING = "rounding: ";

    private static Set<String> known;
    private static Set<String> roundings;
    private static Map<String, Set<String>> failed;

    @BeforeAll
    static void judgeTheWholePack() throws IOException {
        known = known("");
        roundings = roundings();
        failed = Map.of("cpu", failed("cpu"), "reference", failed("reference"));
    }

    /** The cases that rounding may decide either way. */
    static Set<String> roundings() throws IOException {
        return known(ROUNDING);
    }

    /** The cases whose reason begins like that. */
    static Set<String> known(String reason) throws IOException {
        return Files.readAllLines(JudgedPack.resource("/parity/known-differences.txt")).stream()
                .map(line -> line.split("\t"))
                .filter(columns -> columns[1].startsWith(reason))
                .map(columns -> columns[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> failed(String engine) {
        JudgedPack pack = JudgedPack.on(engine);
        return pack.outcomes().stream()
                .filter(outcome -> pack.knownOps().contains(outcome.op()) && !outcome.passed())
                .map(ParityOutcome::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void onlyKnownDifferencesOnCpu() {
        assertEquals(Set.of(), without(failed.get("cpu"), known));
    }

    @Test
    void onlyKnownDifferencesOnReference() {
        assertEquals(Set.of(), without(failed.get("reference"), known));
    }

    @Test
    void everyKnownDifferenceIsStillThere() {
        Set<String> gone = without(without(without(known, roundings), failed.get("cpu")), failed.get("reference"));
        assertEquals(Set.of(), gone, "take them off known-differences.txt");
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
