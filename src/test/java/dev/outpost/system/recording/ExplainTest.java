package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.explain.ExplainedKernel;
import dev.outpost.explain.ExplainedValue;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A machine explains how a value was computed. */
@Tag("quick")
class ExplainTest {
    private static RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", "cpu"));
    }

    @Test
    void aChainIsOneKernelWhoseIntermediatesAreNeverStored() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(64, 64);
            Tensor y = machine.randn(64, 64);
            machine.synchronize();
            Tensor z;
            try (var scope = machine.scope()) {
                z = scope.keep(x.mul(y).add(0.5).relu());
            }
            Explanation explanation = z.explain();
            assertEquals(List.of("mul", "add", "relu"), ops(explanation));
            ExplainedKernel kernel = explanation.kernels().getFirst();
            assertEquals(List.of(0, 1, 2), kernel.nodes());
            assertEquals("mul+add+relu float32[64,64]", kernel.name());
            assertEquals("""
                    start = offset of out0
                    float32 v2 = in2[at]
                    for i from start to start + count:
                        float32 v0 = in0[i]
                        float32 v1 = in1[i]
                        float32 v3 = mul(v0, v1)
                        float32 v4 = add(v3, v2)
                        float32 v5 = relu(v4)
                        out0[i] = v5
                    """, kernel.code());
            String product = explanation.nodes().getFirst().results().getFirst();
            assertFalse(explanation.value(product).isStored());
            assertEquals(
                    ExplainedValue.NEVER, explanation.value(explanation.value()).lastUse());
            assertEquals(2 * 64 * 64 * 4, explanation.memory().inputBytes());
            assertEquals(3 * 64 * 64 * 4, explanation.memory().peakBytes());
            assertEquals(3 * 64 * 64 * 4, explanation.memory().keptBytes());
            assertEquals(1, kernel.times().recentNanos().size());
            assertTrue(kernel.times().lastNanos() > 0);
        }
    }

    @Test
    void aLongChainIsATileProgram() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(8, 8);
            machine.synchronize();
            Tensor z;
            try (var scope = machine.scope()) {
                z = scope.keep(x.exp().mul(x).tanh());
            }
            String code = z.explain().kernels().getFirst().code();
            assertTrue(code.startsWith("for each 1024 elements"), code);
            assertEquals(
                    List.of("tile0 = exp(in0)", "tile0 = mul(tile0, in0)", "out0 = tanh(tile0)"), statements(code));
        }
    }

    /** Returns the statements of a listing, which are in loops if the engine computes with vectors. */
    private static List<String> statements(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> line.contains(" = "))
                .toList();
    }

    @Test
    void rowwiseKernelIsExplainedByItsTiles() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(64, 512);
            Tensor bias = machine.randn(512);
            machine.synchronize();
            Tensor z;
            try (var scope = machine.scope()) {
                Tensor y = x.add(bias).exp();
                z = scope.keep(y.div(y.sum(1, true)));
            }
            String code = z.explain().kernels().getFirst().code();
            assertTrue(code.startsWith("for each 2 of 64 rows of 512 elements"), code);
            assertEquals(
                    List.of(
                            "tile0 = add(in0, in1)",
                            "tile0 = exp(tile0)",
                            "numbers0 = sum of each row(tile0)",
                            "out0 = div(tile0, numbers0), a number for each row"),
                    statements(code));
        }
    }

    /** Instructions that do not contribute to the value are counted, but not shown. */
    @Test
    void onlyWhatLeadsToTheValueIsTold() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(4, 4);
            machine.synchronize();
            Tensor sum = x.sum(0);
            Tensor product = x.matmul(x);
            Explanation explanation = product.explain();
            assertEquals(List.of("matmul"), ops(explanation));
            assertEquals("", explanation.kernels().getFirst().code());
            assertTrue(
                    explanation.segment().instructions() > explanation.nodes().size(), explanation::toString);
            assertTrue(explanation.segment().kernels() > explanation.kernels().size(), explanation::toString);
            sum.close();
        }
    }

    /** A repeated step is one plan; its runs are counted, and at first all are timed. */
    @Test
    void theTimesOfRepeatsAddUp() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(32, 32);
            machine.synchronize();
            for (int step = 0; step < 20; step++) {
                try (var scope = machine.scope()) {
                    Tensor next = x.matmul(x).mul(0.1).sigmoid();
                    x = scope.keep(next);
                }
            }
            Explanation explanation = x.explain();
            assertTrue(explanation.segment().runs() >= 19, explanation::toString);
            List<ExplainedKernel> launched = explanation.kernels().stream()
                    .filter(kernel -> !kernel.name().startsWith("as_strided"))
                    .toList();
            assertEquals(2, launched.size(), explanation::toString);
            for (ExplainedKernel kernel : launched) {
                assertEquals(8, kernel.times().recentNanos().size(), kernel::toString);
                assertTrue(kernel.times().medianNanos() > 0);
            }
        }
    }

    /** The same program with an explanation in between: the same values, and the same plans except for the cut. */
    @Test
    void askingChangesNothingThatIsComputed() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(16);
            Tensor first = x.exp().sum();
            Tensor second = x.exp().sum();
            assertEquals(1, second.explain().segment().runs());
            assertEquals(first.item(), second.item());
            assertEquals(first.item(), x.exp().sum().item());
        }
    }

    @Test
    void aViewTellsOfWhatItIsAViewOf() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(4, 6).neg();
            assertEquals(x.explain().value(), x.t().select(0, 1).explain().value());
        }
    }

    @Test
    void aValueThatFailedIsExplainedAllTheSame() {
        try (RemoteMachine machine = machine()) {
            Tensor table = machine.randn(3);
            Tensor picked = table.indexSelect(0, machine.tensor(new long[] {7}));
            assertTrue(ops(picked.explain()).stream().anyMatch(op -> op.startsWith("index_select")));
            assertThrows(RemoteException.class, picked::toFloatArray);
        }
    }

    @Test
    void oldComputationsAreForgotten() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(4);
            for (int segment = 0; segment < 65; segment++) {
                x.add(segment).close();
                machine.endStep();
            }
            var forgotten = assertThrows(OutpostException.class, x::explain);
            assertEquals(
                    "explain: the machine has forgotten how float32[4] was computed; ask before many more segments have"
                            + " run, or ask the program that computed it",
                    forgotten.getMessage());
        }
    }

    @Test
    void aClosedTensorOrMachineSaysSo() {
        Tensor kept;
        try (RemoteMachine machine = machine()) {
            kept = machine.randn(4);
            Tensor closed = machine.randn(4);
            closed.close();
            assertTrue(assertThrows(OutpostException.class, closed::explain)
                    .getMessage()
                    .contains("closed"));
        }
        assertTrue(
                assertThrows(OutpostException.class, kept::explain).getMessage().contains("closed"));
    }

    @Test
    void linesOfTheProgramAreToldWhereTheyAreTraced() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", new MachineOptions().traces(true))) {
            Explanation explanation = machine.ones(3).neg().explain();
            assertTrue(explanation.nodes().getLast().source().startsWith("ExplainTest.java:"), explanation::toString);
        }
    }

    /** Of thousands of instructions the nearest are shown, and the others counted. */
    @Test
    void aLongWayIsCut() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.ones(2);
            try (var scope = machine.scope()) {
                Tensor y = x;
                for (int step = 0; step < 1000; step++) {
                    y = y.add(1);
                }
                x = scope.keep(y);
            }
            Explanation explanation = x.explain();
            assertEquals(
                    1000, explanation.nodes().size() - (explanation.segment().instructions() - 1000));
            assertTrue(
                    explanation.toString().length() < 300_000,
                    "" + explanation.toString().length());
        }
    }

    private static List<String> ops(Explanation explanation) {
        return explanation.nodes().stream()
                .map(node -> node.op())
                .filter(op -> !op.startsWith("as_strided"))
                .toList();
    }
}
