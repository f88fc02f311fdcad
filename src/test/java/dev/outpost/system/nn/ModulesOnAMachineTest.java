package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.RMSNorm;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ModulesOnAMachineTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Sequential model() {
        return new Sequential(new Linear(4, 8), new ReLU(), new Linear(8, 2));
    }

    @Test
    @Tag("quick")
    void equalSeedsGiveEqualWeights() {
        Map<String, HostTensor> first = model().to(machine.manualSeed(1)).stateDict();
        assertEquals(first, model().to(machine.manualSeed(1)).stateDict());
        assertNotEquals(first, model().to(machine.manualSeed(2)).stateDict());
    }

    @Test
    void aLinearLayersWeightsAreWithinItsBound() {
        Linear layer = new Linear(100, 50);
        layer.to(machine);
        double largest = Arrays.stream(layer.weight().tensor().toDoubleArray())
                .map(Math::abs)
                .max()
                .orElseThrow();
        assertTrue(largest <= 0.1 && largest > 0.09, "largest " + largest);
    }

    @Test
    @Tag("quick")
    void backwardReachesEveryParameter() {
        Sequential model = model().to(machine);
        model.forward(machine.ones(3, 4)).sum().backward();
        model.parameters().forEach(parameter -> assertNotNull(parameter.grad(), parameter.name()));
        model.zeroGrad();
        model.parameters().forEach(parameter -> assertNull(parameter.grad(), parameter.name()));
    }

    @Test
    void parametersOutliveTheScopeTheyWereMadeIn() {
        Sequential model;
        try (var scope = machine.scope()) {
            model = model().to(machine);
        }
        assertEquals(4, model.stateDict().size());
    }

    @Test
    void aStateDictIsLoadedIntoTheSameTensors() {
        Sequential from = model().to(machine);
        Sequential into = model().to(machine);
        Tensor before = into.parameters().getFirst().tensor();
        into.loadStateDict(from.stateDict());
        assertSame(before, into.parameters().getFirst().tensor());
        assertEquals(from.stateDict(), into.stateDict());
    }

    @Test
    void modulesMoveToAnotherMachine() {
        Sequential model = model().to(machine);
        Map<String, HostTensor> values = model.stateDict();
        try (var other = RemoteMachine.of("mock", "A100")) {
            model.to(other);
            assertSame(other, model.parameters().getFirst().tensor().machine());
            assertTrue(model.parameters().getFirst().tensor().requiresGrad());
            assertEquals(values, model.stateDict());
            model.to(machine, values);
            assertEquals(values, model.stateDict());
        }
    }

    /** A language model's embedding and output layer: one parameter, two gradients that add up. */
    private static final class Tied extends Module {
        private final Embedding embedding = register("embedding", new Embedding(3, 2));
        private final Linear output = register("output", new Linear(embedding.weight()));

        @Override
        public Tensor forward(Tensor indices) {
            return output.forward(embedding.forward(indices));
        }
    }

    @Test
    void tiedWeightsAreOneParameterUnderTwoNames() {
        Tied model = new Tied();
        model.to(machine);
        assertEquals(
                List.of("embedding.weight"), List.copyOf(model.namedParameters().keySet()));
        assertEquals(
                List.of("embedding.weight", "output.weight"),
                List.copyOf(model.stateDict().keySet()));
        model.loadStateDict(Map.of(
                "embedding.weight", HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2),
                "output.weight", HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2)));
        Tensor logits = model.forward(machine.tensor(new long[] {1}));
        Closeness.assertClose(new double[] {11, 25, 39}, logits);
        logits.sum().backward();
        // Row 1 is looked up: it gets the column sums 9 and 12; as weights of the output all rows get the vector 3, 4.
        Closeness.assertClose(
                new double[] {3, 4, 12, 16, 3, 4}, model.embedding.weight().grad());
    }

    @Test
    void givenParametersAreChecked() {
        Parameter matrix = new Parameter(Shape.of(3, 2), DType.FLOAT32, Init.zeros());
        Parameter vector = new Parameter(Shape.of(2), DType.FLOAT32, Init.zeros());
        assertEquals("Linear(in_features=2, out_features=3, bias=False)", new Linear(matrix).toString());
        assertEquals("Embedding(3, 2, padding_idx=1)", new Embedding(matrix, 1).toString());
        assertRefused("linear: the weight must have two dimensions, got [2]", () -> new Linear(vector));
        assertRefused("linear: the bias does not fit the weight, got [2] and [3, 2]", () -> new Linear(matrix, vector));
        assertRefused("embedding: the weight must have two dimensions, got [2]", () -> new Embedding(vector));
        assertRefused("embedding: paddingIdx must be a row of 3, got 3", () -> new Embedding(matrix, 3));
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OpException.class, call).getMessage());
    }

    @Test
    void dtypesAreCast() {
        Sequential model = model().to(machine).to(DType.FLOAT64);
        Tensor out = model.forward(machine.ones(DType.FLOAT64, 1, 4));
        assertEquals(DType.FLOAT64, out.dtype());
        out.sum().backward();
        assertEquals(DType.FLOAT64, model.parameters().getFirst().grad().dtype());
    }

    @Test
    void frozenParametersGetNoGradient() {
        Sequential model = model();
        model.requiresGrad(false);
        model.to(machine);
        assertTrue(model.parameters().stream().map(Parameter::tensor).noneMatch(Tensor::requiresGrad));
    }

    @Test
    void dropoutScalesWhatItKeepsAndRestsInEvaluation() {
        Dropout dropout = new Dropout(0.25);
        double[] kept = dropout.forward(machine.ones(DType.FLOAT64, 1000)).toDoubleArray();
        assertTrue(Arrays.stream(kept).allMatch(value -> value == 0 || Math.abs(value - 4.0 / 3) < 1e-9));
        double share = Arrays.stream(kept).filter(value -> value != 0).count() / 1000.0;
        assertTrue(share > 0.65 && share < 0.85, "kept " + share);
        dropout.eval();
        Closeness.assertClose(new double[] {1, 1}, dropout.forward(machine.ones(2)));
    }

    @Test
    void thePaddingRowIsZeroAndIsNotTrained() {
        Embedding table = new Embedding(3, 2, 1);
        table.to(machine);
        Tensor rows = table.forward(machine.tensor(new long[] {0, 1, 1, 2}, 2, 2));
        assertEquals(Shape.of(2, 2, 2), rows.shape());
        rows.sum().backward();
        Closeness.assertClose(new double[] {1, 1, 0, 0, 1, 1}, table.weight().grad());
        Closeness.assertClose(
                new double[] {0, 0}, table.weight().tensor().detach().select(0, 1));
    }

    @Test
    void layerNormHasMeanZeroAndVarianceOne() {
        LayerNorm norm = new LayerNorm(2);
        norm.to(machine);
        double scale = 1 / Math.sqrt(1 + 1e-5);
        Closeness.assertClose(new double[] {-scale, scale}, norm.forward(machine.tensor(new float[] {1, 3}, 1, 2)));
    }

    @Test
    void rmsNormHasMeanSquareOne() {
        RMSNorm norm = new RMSNorm(2);
        norm.to(machine);
        double root = Math.sqrt(12.5);
        Closeness.assertClose(
                new double[] {3 / root, 4 / root}, norm.forward(machine.tensor(new float[] {3, 4}, 1, 2)));
    }

    @Test
    void batchNormTracksWhatItSawAndUsesItInEvaluation() {
        BatchNorm1d norm = new BatchNorm1d(1);
        norm.to(machine);
        Tensor batch = machine.tensor(new float[] {1, 3}, 2, 1);
        double scale = 1 / Math.sqrt(1 + 1e-5);
        Closeness.assertClose(new double[] {-scale, scale}, norm.forward(batch));
        Map<String, HostTensor> state = norm.stateDict();
        Closeness.assertClose(new double[] {0.2}, state.get("running_mean"));
        Closeness.assertClose(new double[] {0.9 + 0.1 * 2}, state.get("running_var"));
        assertEquals(1L, state.get("num_batches_tracked").item());
        norm.eval();
        Closeness.assertClose(
                new double[] {0.8 / Math.sqrt(1.1 + 1e-5), 2.8 / Math.sqrt(1.1 + 1e-5)}, norm.forward(batch));
    }
}
