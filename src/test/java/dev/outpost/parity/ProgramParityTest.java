package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ops.ProgramSubject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every case has the same answer as a program as it has eagerly, except ops that depend on values, which are refused by name. */
class ProgramParityTest {
    private static final String REFUSAL = ": a program has no values while it is traced, so it cannot depend on them";

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
                        .filter(ProgramParityTest::isRefused)
                        .map(ParityOutcome::op)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
