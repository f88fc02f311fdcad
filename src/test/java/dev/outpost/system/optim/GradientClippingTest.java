package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.GradientClipping;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GradientClippingTest {
    private static RemoteMachine machine;

    private Parameter first;
    private Parameter second;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    /** Gradients [3, 0] and [4], of norm 5. */
    @BeforeEach
    void computeGradients() {
        first = Parameter.of(machine.tensor(new double[] {1, 1}));
        second = Parameter.of(machine.tensor(new double[] {1}));
        first.tensor().mul(machine.tensor(new double[] {3, 0})).sum().backward();
        second.tensor().mul(4).sum().backward();
    }

    @Test
    void longGradientsAreShortened() {
        Tensor norm = GradientClipping.clipGradNorm(List.of(first, second), 1);
        double factor = 1 / (5 + 1e-6);
        Closeness.assertClose(new double[] {5}, norm);
        Closeness.assertClose(new double[] {3 * factor, 0}, first.grad());
        Closeness.assertClose(new double[] {4 * factor}, second.grad());
    }

    @Test
    void shortGradientsStay() {
        GradientClipping.clipGradNorm(List.of(first, second), 10);
        Closeness.assertClose(new double[] {3, 0}, first.grad());
        Closeness.assertClose(new double[] {4}, second.grad());
    }

    @Test
    void otherNorms() {
        List<Parameter> both = List.of(first, second);
        Closeness.assertClose(new double[] {4}, GradientClipping.clipGradNorm(both, 100, Double.POSITIVE_INFINITY));
        Closeness.assertClose(new double[] {7}, GradientClipping.clipGradNorm(both, 100, 1));
    }

    @Test
    void valuesAreCut() {
        GradientClipping.clipGradValue(List.of(first, second), 3.5);
        Closeness.assertClose(new double[] {3, 0}, first.grad());
        Closeness.assertClose(new double[] {3.5}, second.grad());
    }

    @Test
    void thereMustBeAGradient() {
        Parameter idle = Parameter.of(machine.zeros(1));
        OpException refusal = assertThrows(OpException.class, () -> GradientClipping.clipGradNorm(List.of(idle), 1));
        assertEquals("clip_grad_norm: no parameter has a gradient, got 1", refusal.getMessage());
    }
}
