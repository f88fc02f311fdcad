package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.explain.ExplainedKernel;
import dev.outpost.explain.ExplainedNode;
import dev.outpost.explain.ExplainedValue;
import dev.outpost.explain.Explanation;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A machine explains how it computes a program. */
@Tag("quick")
class ExplainProgramTest {
    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", "cpu"));
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private static String refusal(Runnable asked) {
        return assertThrows(OutpostException.class, asked::run).getMessage();
    }

    @Test
    void allOfItIsToldByTheNamesThatItHasOutside() {
        Tensor weight = machine.randn(8, 4).named("weight");
        Tensor total = machine.zeros(2, 4).named("total");
        Program program = machine.program(in -> {
            Tensor active = in.getFirst().matmul(weight).mul(0.5).relu();
            total.add_(active);
            return List.of(active.sum(1));
        });
        for (int call = 0; call < 12; call++) {
            program.call(machine.randn(2, 8));
        }
        Explanation explanation = program.explain();
        List<String> ops = explanation.nodes().stream().map(ExplainedNode::op).toList();
        assertTrue(ops.containsAll(List.of("matmul", "mul", "relu", "add")), explanation::toString);
        for (String input : List.of("input 0", "weight", "total")) {
            assertEquals(ExplainedValue.BEFORE, explanation.value(input).computedBy());
            assertTrue(explanation.nodes().stream()
                    .anyMatch(node -> node.operands().contains(input)));
        }
        assertEquals(
                2,
                explanation.values().stream()
                        .filter(value ->
                                value.computedBy() != ExplainedValue.BEFORE && value.lastUse() == ExplainedValue.NEVER)
                        .count(),
                "the result and what is written");
        assertEquals(12, explanation.segment().runs());
        for (ExplainedKernel kernel : launched(explanation)) {
            assertEquals(8, kernel.times().recentNanos().size(), kernel::toString);
        }
        assertTrue(explanation.toString().startsWith("program: " + ops.size() + " of its "), explanation::toString);
        assertEquals((2 * 8 + 8 * 4 + 2 * 4) * 4, explanation.memory().inputBytes());
    }

    private static List<ExplainedKernel> launched(Explanation explanation) {
        return explanation.kernels().stream()
                .filter(kernel -> !kernel.name().startsWith("as_strided"))
                .toList();
    }

    @Test
    void theCodeOfAKernelIsTold() {
        Program program =
                machine.program(in -> List.of(in.getFirst().exp().mul(2).tanh()));
        program.call(machine.randn(8, 8));
        ExplainedKernel kernel = program.explain().kernels().getFirst();
        assertEquals(List.of(0, 1, 2), kernel.nodes());
        assertTrue(kernel.code().contains("tile0 = exp(in0)"), kernel::code);
    }

    @Test
    void ofSeveralTracesTheOneThatWasCalledLastIsTold() {
        Program program = machine.program(in -> List.of(in.getFirst().neg()));
        program.call(machine.zeros(3));
        program.call(machine.zeros(5));
        assertEquals(shapes(program.explain()), "[5]");
        program.call(machine.zeros(3));
        assertEquals(shapes(program.explain()), "[3]");
        assertEquals(2, program.explain().segment().runs());
        assertEquals(shapes(program.explain(machine.ones(5))), "[5]");
        assertEquals(shapes(program.explain()), "[3]", "asking is no call");
        assertEquals(
                "explain: the program was not called with such inputs, got [float32[7]]",
                refusal(() -> program.explain(machine.ones(7))));
        assertEquals(2, program.traces());
    }

    private static String shapes(Explanation explanation) {
        return explanation.value("input 0").type().shape().toString();
    }

    /** All runs of a scan use the same plan. */
    @Test
    void aScanIsToldByItsRuns() {
        Program program = machine.program(in -> List.of(in.get(0).mul(0.5).add(in.get(1))));
        Tensor start = machine.ones(4);
        machine.scan(program, List.of(start), 20);
        Explanation explanation = program.explain();
        assertEquals(20, explanation.segment().runs());
        assertEquals(ExplainedValue.BEFORE, explanation.value("iteration").computedBy());
        assertEquals(20, program.explain(start).segment().runs());
    }

    @Test
    void unavailableExplanationNamesItsReason() {
        Program program = machine.program(in -> List.of(in.getFirst().neg()));
        assertEquals("program: it has not been called, so nothing is known of it yet", refusal(program::explain));
        assertEquals(
                "program: it has not been called, so nothing is known of it yet",
                refusal(() -> program.explain(machine.ones(2))));
        Program outer = machine.program(in -> {
            program.explain();
            return in;
        });
        assertTrue(refusal(() -> outer.call(machine.ones(2)))
                .startsWith("explain: a program has computed nothing while it is traced"));
        program.call(machine.ones(2));
        program.close();
        assertEquals("program: it is closed", refusal(program::explain));
    }

    /** The machine has room for 64 programs. */
    @Test
    void aProgramThatMadeRoomIsThereAgainWhenItIsCalled() {
        Program first = machine.program(in -> List.of(in.getFirst().neg()));
        first.call(machine.ones(2));
        List<Program> others = new ArrayList<>();
        for (int other = 0; other < 64; other++) {
            int number = other;
            others.add(machine.program(in -> List.of(in.getFirst().add(number))));
            others.getLast().call(machine.ones(2));
        }
        assertEquals(
                "explain: the machine does not keep the program, others have taken its place; call it once more",
                refusal(first::explain));
        assertEquals(
                List.of("input 0", "63.0"),
                others.getLast().explain().nodes().getFirst().operands());
        first.call(machine.ones(2));
        assertEquals("neg", first.explain().nodes().getFirst().op());
    }

    @Test
    void namesThatTwoHaveTellOfNeither() {
        Tensor one = machine.ones(2).named("same");
        Tensor other = machine.ones(2).named("same");
        Program program = machine.program(in -> List.of(in.getFirst().add(one).mul(other)));
        program.call(machine.ones(2));
        Explanation explanation = program.explain();
        assertEquals(ExplainedValue.BEFORE, explanation.value("%2").computedBy());
        assertEquals(ExplainedValue.BEFORE, explanation.value("%3").computedBy());
        assertFalse(explanation.toString().contains("same"));
    }

    @Test
    void linesAreToldWhereTheyAreTraced() {
        try (RemoteMachine traced = RemoteMachine.of("mock", "A100", new MachineOptions().traces(true))) {
            Program program = traced.program(in -> List.of(in.getFirst().neg()));
            program.call(traced.ones(2));
            String source = program.explain().nodes().getLast().source();
            assertTrue(source.startsWith("ExplainProgramTest.java:"), source);
        }
    }
}
