package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.OpScore;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParityReport;
import dev.outpost.torch.ops.ProgramSubject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests with the answers to the whole pack. They are in one class, so that one JVM computes all of them: the pack is judged once by each
 * engine.
 */
class WholePackTest {
    /**
     * Every case of an existing op has PyTorch's answer, errors included, except those in known-differences.txt: a case, a tab, and the
     * reason. A difference by rounding may depend on the processor, by the BLAS.
     */
    @Nested
    class Differences {
        private static Set<String> known;
        private static Set<String> roundings;
        private static Map<String, Set<String>> failed;

        @BeforeAll
        static void judgeTheWholePack() throws IOException {
            known = KnownPackDifferences.all("");
            roundings = KnownPackDifferences.roundings();
            failed = Map.of("cpu", failed("cpu"), "reference", failed("reference"));
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

    /** The ops that answer every case of the pack as PyTorch does, on every engine, are those in whole-ops.txt. */
    @Nested
    class WholeOps {
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
            Set<String> roundings = KnownPackDifferences.roundings();
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
            scores.get(engine).stream()
                    .filter(OpScore::allPassed)
                    .map(OpScore::op)
                    .forEach(whole::add);
            return whole;
        }
    }

    /** Every case has the same answer as a program as it has eagerly, except ops that depend on values, which are refused by name. */
    @Nested
    class Programs {
        private static final String REFUSAL =
                ": a program has no values while it is traced, so it cannot depend on them";

        /** The ops whose results, shapes or amount of work depend on values; of some, not in every form. */
        private static final Set<String> DEPENDENT = Set.of(
                "__getitem__",
                "allclose",
                "argwhere",
                "bincount",
                "equal",
                "masked_select",
                "matrix_exp",
                "narrow",
                "nn.functional.one_hot",
                "nonzero",
                "tensor_split",
                "unique",
                "unique_consecutive");

        private static Map<String, ParityOutcome> eager;
        private static List<ParityOutcome> traced;

        @BeforeAll
        static void judgeTheWholePack() throws IOException {
            eager = JudgedPack.on("cpu").outcomes().stream()
                    .collect(Collectors.toMap(ParityOutcome::id, Function.identity()));
            MachineOptions options = new MachineOptions().option("engine", "cpu");
            try (ParityPack pack = ParityPack.open(
                            JudgedPack.resource("/parity/cases.jsonl").getParent());
                    ProgramSubject subject = new ProgramSubject(RemoteMachine.of("mock", "A100", options))) {
                ParityJudge judge = new ParityJudge(subject, pack);
                traced = pack.cases().stream().map(judge::judge).toList();
            }
        }

        private static boolean isRefused(ParityOutcome outcome) {
            return outcome.difference().orElse("").contains(REFUSAL);
        }

        @Test
        void tracedResultsEqualEagerOnes() {
            assertEquals(
                    List.of(),
                    traced.stream()
                            .filter(outcome -> !isRefused(outcome))
                            .filter(outcome -> !outcome.difference()
                                    .equals(eager.get(outcome.id()).difference()))
                            .toList());
        }

        /** The refusal begins with the op that the program called, by its public name. */
        @Test
        void aRefusalNamesTheOp() {
            for (String op : List.of("nonzero", "masked_select", "unique", "bincount", "argwhere")) {
                ParityOutcome refused = traced.stream()
                        .filter(outcome -> outcome.op().equals(op) && isRefused(outcome))
                        .findFirst()
                        .orElseThrow();
                assertTrue(refused.difference().orElseThrow().contains(": " + op + REFUSAL), refused::toString);
            }
        }

        @Test
        void onlyWhatDependsOnValuesIsRefused() {
            assertEquals(
                    new TreeSet<>(DEPENDENT),
                    traced.stream()
                            .filter(Programs::isRefused)
                            .map(ParityOutcome::op)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
    }
}
