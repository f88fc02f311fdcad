package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.optim.SGD;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares ten steps with a reference, with gradients of changing sign and size. */
class OptimizersTest {
    private static final int STEPS = 10;
    private static final double[] START = {1, -0.5, 2, 0.25};

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<ReferenceOptimizers.Pair> pairs() {
        return ReferenceOptimizers.all();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void tenStepsAreTheReferences(ReferenceOptimizers.Pair pair) {
        Parameter parameter = parameter();
        Optimizer optimizer = pair.make().apply(List.of(parameter));
        for (int step = 1; step <= STEPS; step++) {
            step(optimizer, parameter, step);
        }
        Closeness.assertClose(expected(pair), parameter.tensor());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aSavedStateGoesOnWhereItWas(ReferenceOptimizers.Pair pair) {
        Parameter first = parameter();
        Optimizer before = pair.make().apply(List.of(first));
        for (int step = 1; step <= STEPS / 2; step++) {
            step(before, first, step);
        }
        Parameter second = Parameter.of(machine.tensor(first.tensor().toHost()));
        Optimizer after = pair.make().apply(List.of(second));
        Map<String, HostTensor> saved = before.stateDict();
        after.loadStateDict(saved);
        assertEquals(saved, after.stateDict());
        for (int step = STEPS / 2 + 1; step <= STEPS; step++) {
            step(after, second, step);
        }
        Closeness.assertClose(expected(pair), second.tensor());
    }

    /** Like a checkpoint that the machine writes and reads: tensors stay on the machine. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aStateGoesOnWithoutPassingThroughTheClient(ReferenceOptimizers.Pair pair) {
        Parameter first = parameter();
        Optimizer before = pair.make().apply(List.of(first));
        for (int step = 1; step <= STEPS / 2; step++) {
            step(before, first, step);
        }
        Parameter second = Parameter.of(machine.tensor(first.tensor().toHost()));
        Optimizer after = pair.make().apply(List.of(second));
        Map<String, Tensor> copies = new LinkedHashMap<>();
        before.stateTensors().forEach((name, tensor) -> copies.put(name, tensor.clone()));
        after.loadState(before.stateNumbers(), copies);
        assertEquals(before.stateDict(), after.stateDict());
        for (int step = STEPS / 2 + 1; step <= STEPS; step++) {
            step(after, second, step);
        }
        Closeness.assertClose(expected(pair), second.tensor());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void theFirstStepIsAsEveryOther(ReferenceOptimizers.Pair pair) {
        Parameter parameter = parameter();
        Optimizer optimizer = pair.make().apply(List.of(parameter));
        machine.synchronize();
        long segments = machine.stats().segments();
        long plans = machine.stats().plans();
        for (int step = 1; step <= 3; step++) {
            step(optimizer, parameter, step);
        }
        machine.synchronize();
        assertEquals(3, machine.stats().segments() - segments);
        assertTrue(machine.stats().plans() - plans <= 1, "three steps of one structure took several plans");
    }

    /** Computed by hand: 1 - 0.1 · 0.01 · 1 - 0.1 · 0.3 / (0.3 + 1e-8). */
    @Test
    @Tag("quick")
    void adamWsFirstStepIsTheLearningRate() {
        Parameter one = Parameter.of(machine.tensor(new double[] {1}));
        one.tensor().mul(0.3).sum().backward();
        new AdamW(List.of(one), 0.1).step();
        Closeness.assertClose(new double[] {1 - 0.001 - 0.1 * (0.3 / (0.3 + 1e-8))}, one.tensor());
    }

    @Test
    @Tag("quick")
    void parameterWithoutAGradientIsUnchanged() {
        Parameter trained = parameter();
        Parameter idle = parameter();
        SGD optimizer = new SGD(List.of(trained, idle), 0.1).weightDecay(0.5);
        trained.tensor().sum().backward();
        optimizer.step();
        Closeness.assertClose(START, idle.tensor());
        optimizer.zeroGrad();
        assertNull(trained.grad());
    }

    @Test
    void stateOutlivesTheScopeOfAStep() {
        Parameter parameter = parameter();
        Optimizer optimizer = new AdamW(List.of(parameter), 0.1);
        for (int step = 0; step < 3; step++) {
            try (var scope = machine.scope()) {
                optimizer.zeroGrad();
                parameter.tensor().mul(parameter.tensor()).sum().backward();
                optimizer.step();
            }
        }
        assertEquals(3L, optimizer.stateDict().get("state.0.step").item());
    }

    @Test
    void groupsHaveLearningRatesOfTheirOwn() {
        Parameter slow = parameter();
        Parameter still = parameter();
        SGD optimizer = new SGD(new ParameterGroup(List.of(slow), 0.5, 0), new ParameterGroup(List.of(still), 0, 0));
        slow.tensor().add(still.tensor()).sum().backward();
        optimizer.step();
        Closeness.assertClose(new double[] {0.5, -1, 1.5, -0.25}, slow.tensor());
        Closeness.assertClose(START, still.tensor());
    }

    @Test
    void betasAndEpsOfAGroupAreRefusedByOptimizersWithoutThem() {
        ParameterGroup group = new ParameterGroup(List.of(parameter()), 0.1, 0).betas(0.9, 0.99);
        assertEquals(
                "optimizer: SGD has no betas, got a group with Betas[first=0.9, second=0.99]",
                assertThrows(OpException.class, () -> new SGD(group)).getMessage());
        SGD optimizer = new SGD(List.of(parameter()), 0.1);
        optimizer.groups().getFirst().eps(1e-3);
        assertEquals(
                "optimizer: SGD has no eps, got a group with 0.001",
                assertThrows(OpException.class, optimizer::step).getMessage());
        assertThrows(OpException.class, () -> group.betas(1, 0.9));
    }

    private static Parameter parameter() {
        return Parameter.of(machine.tensor(START));
    }

    /** The gradient of element i is cos(step + i) · (1 + element). */
    private static double gradient(int step, int element, double value) {
        return Math.cos(step + element) * (1 + value);
    }

    private static void step(Optimizer optimizer, Parameter parameter, int step) {
        double[] factors = new double[START.length];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = Math.cos(step + i);
        }
        try (var scope = machine.scope()) {
            optimizer.zeroGrad();
            var x = parameter.tensor();
            x.add(x.mul(x).mul(0.5)).mul(machine.tensor(factors)).sum().backward();
            optimizer.step();
        }
    }

    private static double[] expected(ReferenceOptimizers.Pair pair) {
        double[] values = START.clone();
        for (int i = 0; i < values.length; i++) {
            ReferenceOptimizers.Reference reference = pair.reference().get();
            for (int step = 1; step <= STEPS; step++) {
                values[i] = reference.step(step, values[i], gradient(step, i, values[i]));
            }
        }
        return values;
    }
}
