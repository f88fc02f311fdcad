package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.ASGD;
import dev.outpost.optim.Adadelta;
import dev.outpost.optim.Adafactor;
import dev.outpost.optim.Adagrad;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Adamax;
import dev.outpost.optim.Lion;
import dev.outpost.optim.Muon;
import dev.outpost.optim.NAdam;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.ParameterGroup;
import dev.outpost.optim.RAdam;
import dev.outpost.optim.RMSprop;
import dev.outpost.optim.Rprop;
import dev.outpost.optim.SGD;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares twelve steps of each optimizer with PyTorch's, on a matrix and a vector. */
class TorchOptimizersTest {
    private static final TorchFixture TORCH = TorchFixture.of("optimizers");
    private static final int STEPS = 12;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<String> cases() {
        return TORCH.cases();
    }

    private static Optimizer make(String name, List<Parameter> p) {
        return switch (name) {
            case "adamax" -> new Adamax(p, 0.05).weightDecay(0.01);
            case "nadam" -> new NAdam(p, 0.05).weightDecay(0.01);
            case "nadam_decoupled" ->
                new NAdam(p, 0.05).weightDecay(0.1).momentumDecay(0.1).decoupledWeightDecay();
            case "radam" -> new RAdam(p, 0.05).weightDecay(0.01);
            case "radam_decoupled" ->
                new RAdam(p, 0.05).betas(0.8, 0.9).weightDecay(0.1).decoupledWeightDecay();
            case "adadelta" -> new Adadelta(p, 1).weightDecay(0.01);
            case "asgd" -> new ASGD(p, 0.05).lambd(0.01).t0(3).weightDecay(0.01);
            case "rprop" -> new Rprop(p, 0.05);
            case "rprop_maximize" ->
                new Rprop(p, 0.05).etas(0.4, 1.5).stepSizes(0.01, 0.1).maximize();
            case "lion" -> new Lion(p, 0.05).weightDecay(0.1);
            case "adafactor" -> new Adafactor(p, 0.05).weightDecay(0.1);
            case "adafactor_small" ->
                new Adafactor(p, 0.5).beta2Decay(-0.5).eps(1e-5, 1e-2).d(1.5);
            case "adagrad" ->
                new Adagrad(new ParameterGroup(p, 0.1, 0).option("initial_accumulator_value", 0.3)).maximize();
            case "rmsprop" -> new RMSprop(p, 0.02).momentum(0.5).centered().maximize();
            case "adam" -> new Adam(p, 0.05).maximize().amsgrad().weightDecay(0.01);
            case "adamw" -> new AdamW(p, 0.05).maximize();
            case "muon" -> new Muon(p.subList(0, 1), 0.05);
            case "muon_match" -> new Muon(p.subList(0, 1), 0.05).nesterov(false).matchRmsAdamW();
            case "sgd_groups" ->
                new SGD(
                        new ParameterGroup(p.subList(0, 1), 0.05, 0)
                                .option("momentum", 0.9)
                                .option("nesterov", 1),
                        new ParameterGroup(p.subList(1, 2), 0.2, 0));
            case "adam_groups" ->
                new Adam(
                        new ParameterGroup(p.subList(0, 1), 0.05, 0)
                                .betas(0.5, 0.7)
                                .option("amsgrad", 1),
                        new ParameterGroup(p.subList(1, 2), 0.05, 0).eps(0.1));
            default -> throw new AssertionError("no such optimizer: " + name);
        };
    }

    private static List<Parameter> parameters() {
        return List.of(
                Parameter.of(machine.linspace(-1, 2, 12, DType.FLOAT64).reshape(3, 4)),
                Parameter.of(machine.linspace(1, -0.5, 3, DType.FLOAT64)));
    }

    private static void step(Optimizer optimizer, List<Parameter> parameters, int step) {
        try (var scope = machine.scope()) {
            optimizer.zeroGrad();
            Tensor loss = machine.zeros(DType.FLOAT64);
            for (Parameter parameter : parameters) {
                Tensor p = parameter.tensor();
                Tensor weights = machine.arange(0, p.numel(), 1, DType.FLOAT64)
                        .add(0.6 * step)
                        .cos()
                        .reshape(p.shape());
                loss = loss.add(p.add(p.mul(p).mul(0.5)).mul(weights).sum());
            }
            loss.backward();
            optimizer.step();
        }
    }

    private static void check(String name, int step, List<Parameter> parameters) {
        TORCH.part(name + "/step" + step + "/")
                .forEach((index, expected) -> TorchFixture.assertClose(
                        name + " parameter " + index + " after step " + step,
                        expected,
                        parameters.get(Integer.parseInt(index)).tensor()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void stepsAreThoseOfPyTorch(String name) {
        List<Parameter> parameters = parameters();
        Optimizer optimizer = make(name, parameters);
        for (int step = 1; step <= STEPS; step++) {
            step(optimizer, parameters, step);
            check(name, step, parameters);
        }
        Map<String, HostTensor> state = optimizer.stateDict();
        TORCH.part(name + "/state/").forEach((key, expected) -> {
            HostTensor actual = state.get("state." + key);
            if (!name.startsWith("asgd") && !key.startsWith("grad_avg")) {
                TorchFixture.assertClose(name + " " + key, expected, machine.tensor(actual));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aSavedStateGoesOnInAnOptimizerWithDefaults(String name) {
        List<Parameter> first = parameters();
        Optimizer before = make(name, first);
        for (int step = 1; step <= STEPS / 2; step++) {
            step(before, first, step);
        }
        List<Parameter> second = first.stream()
                .map(parameter -> Parameter.of(machine.tensor(parameter.tensor().toHost())))
                .toList();
        Optimizer after = make(name, second);
        after.loadStateDict(before.stateDict());
        assertEquals(before.stateDict(), after.stateDict());
        for (int step = STEPS / 2 + 1; step <= STEPS; step++) {
            step(after, second, step);
        }
        check(name, STEPS, second);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void stepsAreOfOneStructure(String name) {
        List<Parameter> parameters = parameters();
        Optimizer optimizer = make(name, parameters);
        step(optimizer, parameters, 1);
        machine.synchronize();
        long plans = machine.stats().plans();
        for (int step = 2; step <= 8; step++) {
            step(optimizer, parameters, step);
        }
        machine.synchronize();
        assertEquals(0, machine.stats().plans() - plans);
    }

    @Test
    void optionsAreAPartOfTheState() {
        List<Parameter> first = parameters();
        Optimizer before = new Adam(new ParameterGroup(first, 0.1, 0).eps(0.5))
                .betas(0.7, 0.8)
                .amsgrad();
        step(before, first, 1);
        Map<String, HostTensor> saved = before.stateDict();
        assertEquals(0.7, saved.get("groups.0.beta1").getDouble(0));
        assertEquals(0.5, saved.get("groups.0.eps").getDouble(0));
        Optimizer after = new Adam(parameters(), 0.2);
        after.loadStateDict(saved);
        assertEquals(saved, after.stateDict());
        assertEquals(0.8, after.groups().getFirst().betas().orElseThrow().second());
        assertTrue(after.stateDict().containsKey("state.0.max_exp_avg_sq"));
    }

    @Test
    void aStateWithoutOptionsLeavesThoseThatAreThere() {
        List<Parameter> first = parameters();
        Optimizer optimizer = new Adam(first, 0.1).betas(0.7, 0.8);
        step(optimizer, first, 1);
        Map<String, HostTensor> saved = optimizer.stateDict();
        saved.keySet().removeIf(name -> name.startsWith("groups.0.beta") || name.equals("groups.0.eps"));
        optimizer.loadStateDict(saved);
        assertEquals(0.7, optimizer.stateDict().get("groups.0.beta1").getDouble(0));
    }

    @Test
    void badArgumentsAreRefused() {
        assertEquals(
                "optimizer: Adam has no momentum, got a group with 0.9",
                assertThrows(
                                OpException.class,
                                () -> new Adam(new ParameterGroup(parameters(), 0.1, 0).option("momentum", 0.9)))
                        .getMessage());
        assertEquals(
                "optimizer: Muon is for matrices, got a parameter of shape [3]; give others to another optimizer, such as"
                        + " AdamW",
                assertThrows(OpException.class, () -> new Muon(parameters(), 0.1))
                        .getMessage());
        assertThrows(OpException.class, () -> new Rprop(parameters(), 0.1).etas(1.5, 1.2));
        assertThrows(OpException.class, () -> new Adadelta(parameters(), 1).rho(1));
    }
}
