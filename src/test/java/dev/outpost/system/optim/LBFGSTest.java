package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.LBFGS;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests limited-memory BFGS on Rosenbrock's function, with the same steps as PyTorch. */
class LBFGSTest {
    private static final TorchFixture TORCH = TorchFixture.of("lbfgs");

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static LBFGS optimizer(String name, List<Parameter> parameters) {
        return switch (name) {
            case "plain" -> new LBFGS(parameters, 0.1).maxIter(5);
            case "wolfe" -> new LBFGS(parameters).maxIter(4).strongWolfe();
            case "short" -> new LBFGS(parameters).maxIter(6).historySize(2).strongWolfe();
            case "evals" -> new LBFGS(parameters).maxEval(7).strongWolfe();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Tensor rosenbrock(Tensor x, Tensor y) {
        return x.rsub(1)
                .square()
                .add(y.flatten().sub(x.square()).square().mul(100))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "wolfe", "short", "evals"})
    void stepsArePyTorchs(String name) {
        Parameter x = Parameter.of(machine.tensor(new double[] {-1.2, 0.5}, 2));
        Parameter y = Parameter.of(machine.tensor(new double[] {1, 0.7}, 2, 1));
        try (LBFGS optimizer = optimizer(name, List.of(x, y))) {
            for (int step = 0; step < 6; step++) {
                double loss = optimizer.step(() -> {
                    optimizer.zeroGrad();
                    Tensor value = rosenbrock(x.tensor(), y.tensor());
                    value.backward();
                    return value;
                });
                double expected = TORCH.get(name + "/loss/" + step).getDouble(0);
                assertEquals(expected, loss, 1e-7 * Math.max(1, expected), name + " loss " + step);
                assertArrayEquals(
                        TORCH.get(name + "/x/" + step).toDoubleArray(),
                        x.tensor().toDoubleArray(),
                        1e-6,
                        name + " x " + step);
                assertArrayEquals(
                        TORCH.get(name + "/y/" + step).toDoubleArray(),
                        y.tensor().toDoubleArray(),
                        1e-6,
                        name + " y " + step);
            }
        }
    }

    @Test
    void aClosedOneLeavesNothingOnTheMachine() {
        try (RemoteMachine own = RemoteMachine.of("mock", "A100")) {
            Parameter x = Parameter.of(own.tensor(new double[] {-1.2, 0.5}, 2));
            long before = own.heldValues();
            LBFGS optimizer = new LBFGS(List.of(x)).strongWolfe();
            try (var scope = own.scope()) {
                optimizer.step(() -> {
                    optimizer.zeroGrad();
                    Tensor value = x.tensor().sub(3).pow(4).sum();
                    value.backward();
                    return value;
                });
            }
            optimizer.zeroGrad();
            optimizer.close();
            assertEquals(before, own.heldValues());
        }
    }

    @Test
    void badSettingsAreRefused() {
        OpException none = assertThrows(OpException.class, () -> new LBFGS(List.of()));
        assertEquals("LBFGS: there must be a parameter", none.getMessage());
        Parameter x = Parameter.of(machine.zeros(2));
        assertThrows(OpException.class, () -> new LBFGS(List.of(x)).historySize(0));
    }
}
