package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adagrad;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.GradientClipping;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.RMSprop;
import dev.outpost.optim.SGD;
import dev.outpost.optim.StepLR;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A training step as a program has the same bits as the same step that is recorded each time. */
@Tag("quick")
class ProgramTrainingTest {
    private static final int STEPS = 6;

    private RemoteMachine machine;

    /** The machine on which the programs run. */
    RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100");
    }

    @BeforeEach
    void start() {
        machine = machine();
    }

    @AfterEach
    void end() {
        machine.close();
    }

    /** An optimizer with a name, for messages. */
    private record Choice(String name, Function<List<Parameter>, Optimizer> optimizer) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Choice> optimizers() {
        return Stream.of(
                new Choice("SGD", parameters -> new SGD(parameters, 0.1)),
                new Choice("SGD at 1", parameters -> new SGD(parameters, 1)),
                new Choice(
                        "SGD with momentum",
                        parameters -> new SGD(parameters, 0.1)
                                .momentum(0.9)
                                .dampening(0.3)
                                .weightDecay(0.01)),
                new Choice("Adam", parameters -> new Adam(parameters, 0.01)),
                new Choice(
                        "Adam, amsgrad",
                        parameters -> new Adam(parameters, 0.01).amsgrad().weightDecay(0.1)),
                new Choice("AdamW", parameters -> new AdamW(parameters, 0.01)),
                new Choice("RMSprop", parameters -> new RMSprop(parameters, 0.01)),
                new Choice(
                        "RMSprop, centered",
                        parameters -> new RMSprop(parameters, 0.01).centered().momentum(0.5)),
                new Choice("Adagrad", parameters -> new Adagrad(parameters, 0.1).learningRateDecay(0.2)));
    }

    /** A model, its optimizer and its training step. */
    private final class Training {
        final Module model;
        final Optimizer optimizer;

        Training(Choice choice) {
            machine.manualSeed(3);
            model = new Sequential(new Linear(4, 8), new BatchNorm1d(8), new ReLU(), new Dropout(0.3), new Linear(8, 3))
                    .to(machine);
            optimizer = choice.optimizer.apply(model.parameters());
            machine.manualSeed(11);
        }

        List<Tensor> step(List<Tensor> batch) {
            optimizer.zeroGrad();
            Tensor loss = Functional.crossEntropy(model.forward(batch.get(0)), batch.get(1));
            loss.backward();
            GradientClipping.clipGradNorm(model.parameters(), 0.5);
            optimizer.step();
            return List.of(loss);
        }

        List<float[]> state() {
            List<float[]> all = new ArrayList<>();
            model.stateDict().values().forEach(value -> all.add(value.toFloatArray()));
            optimizer.stateDict().values().forEach(value -> all.add(value.toFloatArray()));
            model.parameters().forEach(parameter -> all.add(parameter.grad().toFloatArray()));
            return all;
        }
    }

    private List<Tensor> batch(int number) {
        Tensor images =
                machine.arange(number, number + 5 * 4.0, 1, DType.FLOAT32).sin().reshape(5, 4);
        return List.of(images, machine.tensor(new long[] {0, 1, 2, number % 3, 1}));
    }

    private static void assertSame(List<float[]> expected, List<float[]> actual) {
        assertEquals(expected.size(), actual.size());
        for (int index = 0; index < expected.size(); index++) {
            assertArrayEquals(expected.get(index), actual.get(index), "state " + index);
        }
    }

    /** The learning rate changes at every step. */
    @ParameterizedTest
    @MethodSource("optimizers")
    void aStepAsAProgramIsTheStep(Choice choice) {
        Training eager = new Training(choice);
        StepLR schedule = new StepLR(eager.optimizer, 1, 0.7);
        List<Double> losses = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            try (var scope = machine.scope()) {
                losses.add(eager.step(batch(step)).getFirst().itemDouble());
            }
            schedule.step();
        }
        List<float[]> expected = eager.state();

        Training traced = new Training(choice);
        StepLR again = new StepLR(traced.optimizer, 1, 0.7);
        Program program = machine.program(traced::step);
        for (int step = 0; step < STEPS; step++) {
            assertEquals(
                    losses.get(step),
                    program.call(batch(step).toArray(Tensor[]::new)).getFirst().itemDouble());
            again.step();
        }
        assertSame(expected, traced.state());
        assertEquals(1, program.traces());
    }

    @Test
    void eagerStepsMayComeBetween() {
        Choice adam = optimizers()
                .filter(choice -> choice.name.equals("Adam"))
                .findFirst()
                .orElseThrow();
        Training eager = new Training(adam);
        for (int step = 0; step < STEPS; step++) {
            eager.step(batch(step));
        }
        List<float[]> expected = eager.state();
        Training mixed = new Training(adam);
        Program program = machine.program(mixed::step);
        for (int step = 0; step < STEPS; step++) {
            if (step % 3 == 1) {
                mixed.step(batch(step));
            } else {
                program.call(batch(step).toArray(Tensor[]::new));
            }
        }
        assertSame(expected, mixed.state());
        assertEquals(1, program.traces());
    }

    @Test
    void gradientsAccumulateWhereNobodyDropsThem() {
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        Program program = machine.program(in -> {
            weight.tensor().mul(in.getFirst()).sum().backward();
            return List.of();
        });
        assertNull(weight.grad());
        program.call(machine.tensor(new float[] {1, 10}));
        assertArrayEquals(new float[] {1, 10}, weight.grad().toFloatArray());
        program.call(machine.tensor(new float[] {2, 20}));
        program.call(machine.tensor(new float[] {3, 30}));
        assertArrayEquals(new float[] {6, 60}, weight.grad().toFloatArray());
        assertEquals(2, program.traces());
        assertEquals(List.of("gradient of tensor float32[2]"), program.written());
        weight.zeroGrad();
        program.call(machine.tensor(new float[] {4, 40}));
        assertArrayEquals(new float[] {4, 40}, weight.grad().toFloatArray());
        assertEquals(2, program.traces());
    }

    @Test
    void aGradientThatIsDroppedAtTheEndIsGone() {
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        SGD optimizer = new SGD(List.of(weight), 1);
        Program program = machine.program(in -> {
            weight.tensor().mul(in.getFirst()).sum().backward();
            optimizer.step();
            optimizer.zeroGrad();
            return List.of();
        });
        program.call(machine.tensor(new float[] {1, 10}));
        program.call(machine.tensor(new float[] {1, 10}));
        assertNull(weight.grad());
        assertArrayEquals(new float[] {-1, -18}, weight.tensor().toFloatArray());
    }

    @Test
    void aModuleThatTrainsNoMoreIsTracedAgain() {
        Module model = new Sequential(new BatchNorm1d(2)).to(machine);
        Program program = machine.program(in -> List.of(model.forward(in.getFirst())));
        Tensor input = machine.tensor(new float[] {1, 2, 3, 5}, 2, 2);
        float[] training = program.call(input).getFirst().toFloatArray();
        assertFalse(program.written().isEmpty());
        model.eval();
        float[] evaluating = program.call(input).getFirst().toFloatArray();
        assertTrue(program.written().isEmpty());
        assertTrue(training[0] < -0.9 && evaluating[0] > 0.5, () -> training[0] + " and " + evaluating[0]);
        model.train();
        assertArrayEquals(training, program.call(input).getFirst().toFloatArray());
        assertEquals(2, program.traces());
    }

    @Test
    void anotherSettingOfAnOptimizerIsTracedAgain() {
        Parameter weight = Parameter.of(machine.tensor(new float[] {1}));
        SGD optimizer = new SGD(List.of(weight), 1);
        Program program = machine.program(in -> {
            optimizer.zeroGrad();
            weight.tensor().sum().backward();
            optimizer.step();
            return List.of();
        });
        program.call();
        assertEquals(0, weight.tensor().itemDouble());
        optimizer.maximize();
        program.call();
        assertEquals(1, weight.tensor().itemDouble());
        optimizer.weightDecay(1);
        program.call();
        assertEquals(1, weight.tensor().itemDouble());
        optimizer.learningRate(3);
        program.call();
        assertEquals(1, weight.tensor().itemDouble());
        assertEquals(3, program.traces());
        weight.requiresGrad(false);
        assertThrows(OutpostException.class, program::call);
    }

    /** The caller does not influence how the step is computed. */
    @Test
    void autogradRecordsInAProgramWhateverTheCallerDoes() {
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        Program program = machine.program(in -> {
            weight.tensor().sum().backward();
            return List.of();
        });
        GradMode.noGrad(() -> {
            program.call();
        });
        assertNotNull(weight.grad());
        program.call();
        assertArrayEquals(new float[] {2, 2}, weight.grad().toFloatArray());
    }

    /** Loaded state has different tensors and different counts of steps. */
    @Test
    void aStateThatIsLoadedCounts() {
        Choice adam = optimizers()
                .filter(choice -> choice.name.equals("Adam"))
                .findFirst()
                .orElseThrow();
        Training training = new Training(adam);
        Program program = machine.program(training::step);
        program.call(batch(0).toArray(Tensor[]::new));
        var model = training.model.stateDict();
        var optimizer = training.optimizer.stateDict();
        machine.manualSeed(5);
        program.call(batch(1).toArray(Tensor[]::new));
        List<float[]> expected = training.state();
        program.call(batch(2).toArray(Tensor[]::new));
        training.model.loadStateDict(model);
        training.optimizer.loadStateDict(optimizer);
        machine.manualSeed(5);
        program.call(batch(1).toArray(Tensor[]::new));
        assertSame(expected, training.state());
    }

    @Test
    void aNumberThatAnOptimizerDoesNotUseIsNoneOfTheProgram() {
        Parameter single = Parameter.of(machine.tensor(new double[] {1, 2}, 2).requiresGrad(true));
        Optimizer optimizer = new SGD(List.of(single), 0.5).momentum(0.5);
        try (Program program = machine.program(inputs -> {
            optimizer.zeroGrad();
            single.tensor().square().sum().backward();
            optimizer.step();
            return List.of();
        })) {
            program.call();
            assertArrayEquals(new double[] {0, 0}, single.tensor().toDoubleArray());
            program.call();
            assertArrayEquals(new double[] {-0.5, -1}, single.tensor().toDoubleArray());
        }
    }

    @Test
    void anOptimizerMayHaveManyParameters() {
        List<Parameter> parameters = Stream.generate(
                        () -> machine.tensor(new double[] {1, 2}, 2).requiresGrad(true))
                .limit(60)
                .map(Parameter::of)
                .toList();
        Optimizer optimizer = new Adam(parameters, 0.5).amsgrad();
        try (Program program = machine.program(inputs -> {
            optimizer.zeroGrad();
            parameters.forEach(parameter -> parameter.tensor().sum().backward());
            optimizer.step();
            return List.of();
        })) {
            program.call();
        }
        assertArrayEquals(new double[] {0.5, 1.5}, parameters.getLast().tensor().toDoubleArray(), 1e-6);
    }
}
