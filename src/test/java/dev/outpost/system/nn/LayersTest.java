package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.BCELoss;
import dev.outpost.nn.BCEWithLogitsLoss;
import dev.outpost.nn.CrossEntropyLoss;
import dev.outpost.nn.ELU;
import dev.outpost.nn.Flatten;
import dev.outpost.nn.HuberLoss;
import dev.outpost.nn.Identity;
import dev.outpost.nn.L1Loss;
import dev.outpost.nn.LeakyReLU;
import dev.outpost.nn.LogSoftmax;
import dev.outpost.nn.Loss;
import dev.outpost.nn.MSELoss;
import dev.outpost.nn.Module;
import dev.outpost.nn.NLLLoss;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Reduction;
import dev.outpost.nn.SiLU;
import dev.outpost.nn.Sigmoid;
import dev.outpost.nn.SmoothL1Loss;
import dev.outpost.nn.Softmax;
import dev.outpost.nn.Softplus;
import dev.outpost.nn.Tanh;
import dev.outpost.system.Closeness;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LayersTest {
    private static final double[] VALUES = {-2, -0.5, 0, 0.5, 3};

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static Arguments activation(Module module, DoubleUnaryOperator meaning) {
        return Arguments.of(module, meaning);
    }

    static Stream<Arguments> activations() {
        return Stream.of(
                activation(new ReLU(), x -> Math.max(x, 0)),
                activation(new SiLU(), x -> x * sigmoid(x)),
                activation(new Tanh(), Math::tanh),
                activation(new Sigmoid(), LayersTest::sigmoid),
                activation(new LeakyReLU(0.1), x -> x > 0 ? x : 0.1 * x),
                activation(new ELU(2), x -> x > 0 ? x : 2 * Math.expm1(x)),
                activation(new Softplus(), x -> Math.log1p(Math.exp(x))),
                activation(new Identity(), x -> x));
    }

    @ParameterizedTest
    @MethodSource
    void activations(Module module, DoubleUnaryOperator meaning) {
        double[] expected = Arrays.stream(VALUES).map(meaning).toArray();
        Closeness.assertClose(expected, module.forward(machine.tensor(VALUES)));
    }

    @Test
    void softmaxes() {
        Tensor even = machine.zeros(2, 4);
        double[] quarters = new double[8];
        Arrays.fill(quarters, 0.25);
        Closeness.assertClose(quarters, new Softmax(1).forward(even));
        Arrays.fill(quarters, Math.log(0.25));
        Closeness.assertClose(quarters, new LogSoftmax(-1).forward(even));
    }

    @Test
    void flattenKeepsTheBatch() {
        assertEquals(
                Shape.of(2, 12), new Flatten().forward(machine.zeros(2, 3, 4)).shape());
        assertEquals(
                Shape.of(6, 4),
                new Flatten(0, 1).forward(machine.zeros(2, 3, 4)).shape());
    }

    static Stream<Arguments> losses() {
        return Stream.of(
                Arguments.of(new MSELoss(), (0.25 + 9) / 2),
                Arguments.of(new MSELoss(Reduction.SUM), 9.25),
                Arguments.of(new L1Loss(), 1.75),
                Arguments.of(new HuberLoss(), (0.125 + 2.5) / 2),
                Arguments.of(new SmoothL1Loss(0.5, Reduction.SUM), 0.25 + 2.75),
                Arguments.of(new BCEWithLogitsLoss(), (Math.log1p(Math.exp(0.5)) + Math.log1p(Math.exp(-3))) / 2));
    }

    /** Inputs 0.5 and 3, targets 0 for both; of the last one 0 and 1. */
    @ParameterizedTest
    @MethodSource
    void losses(Loss loss, double expected) {
        Tensor input = machine.tensor(new double[] {0.5, 3});
        Tensor target = machine.tensor(new double[] {0, loss instanceof BCEWithLogitsLoss ? 1 : 0});
        Closeness.assertClose(new double[] {expected}, loss.forward(input, target));
    }

    @Test
    void lossesOfClassifiers() {
        Tensor logits = machine.tensor(new double[] {1, 2, 3, 4}, 2, 2);
        Tensor classes = machine.tensor(new long[] {0, 1});
        double expected = (Math.log1p(Math.exp(1)) + Math.log1p(Math.exp(-1))) / 2;
        Closeness.assertClose(new double[] {expected}, new CrossEntropyLoss().forward(logits, classes));
        Tensor logProbabilities = new LogSoftmax(1).forward(logits);
        Closeness.assertClose(new double[] {expected}, new NLLLoss().forward(logProbabilities, classes));
        Tensor probabilities = machine.tensor(new double[] {0.25, 0.5});
        Tensor targets = machine.tensor(new double[] {1, 0});
        Closeness.assertClose(
                new double[] {(Math.log(4) + Math.log(2)) / 2}, new BCELoss().forward(probabilities, targets));
    }
}
