package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.Anomaly;
import dev.outpost.autograd.Checkpoint;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.Tanh;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests gradient checkpointing and the search for the first NaN. */
class CheckpointTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    @Test
    void gradientsAreThoseWithoutCheckpointsAlsoWithDropout() {
        Sequential net = new Sequential(new Linear(4, 6), new Tanh(), new Dropout(0.5), new Linear(6, 2));
        net.to(machine.manualSeed(5));
        Tensor input = machine.randn(3, 4).requiresGrad(true);
        machine.manualSeed(9);
        Tensor plain = net.forward(input);
        plain.square().sum().backward();
        double[] ofInput = input.grad().toDoubleArray();
        double[] ofWeight = net.parameters().getFirst().grad().toDoubleArray();
        double[] next = machine.rand(2).toDoubleArray();
        net.zeroGrad();
        input.grad(null);
        machine.manualSeed(9);
        AtomicInteger calls = new AtomicInteger();
        Tensor again = Checkpoint.checkpoint(
                x -> {
                    calls.incrementAndGet();
                    return net.forward(x);
                },
                input);
        Closeness.assertClose(plain.toDoubleArray(), again);
        again.square().sum().backward();
        assertEquals(2, calls.get());
        Closeness.assertClose(ofInput, input.grad());
        Closeness.assertClose(ofWeight, net.parameters().getFirst().grad());
        assertArrayEquals(next, machine.rand(2).toDoubleArray(), "the stream goes on where it was");
    }

    @Test
    void parametersGetGradientsWhereNoInputNeedsOne() {
        Linear linear = new Linear(2, 1);
        linear.to(machine);
        Checkpoint.sequential(List.of(linear::forward, Tensor::exp), machine.zeros(1, 2))
                .sum()
                .backward();
        assertTrue(linear.bias().grad().itemDouble() > 0);
    }

    @Test
    void severalInputsAndOutputs() {
        Tensor a = machine.tensor(new double[] {1, 2}).requiresGrad(true);
        Tensor b = machine.tensor(new double[] {3, 4}).requiresGrad(true);
        List<Tensor> outputs = Checkpoint.checkpoint(
                in -> List.of(in.get(0).mul(in.get(1)), in.get(0).exp()), List.of(a, b));
        outputs.get(0).sum().backward();
        Closeness.assertClose(new double[] {3, 4}, a.grad());
        Closeness.assertClose(new double[] {1, 2}, b.grad());
        assertThrows(OpException.class, () -> Checkpoint.checkpoint(in -> in, List.of()));
    }

    @Test
    void insideOfAProgramTheFunctionIsAPartOfIt() {
        Linear linear = new Linear(2, 1);
        linear.to(machine);
        var program = machine.program(in -> {
            Tensor loss = Checkpoint.checkpoint(linear::forward, in.getFirst()).sum();
            loss.backward();
            return List.of(loss);
        });
        program.call(machine.ones(3, 2));
        Closeness.assertClose(new double[] {3, 3}, linear.weight().grad());
    }

    @Test
    void theFirstNanOfForwardIsNamedWithItsLine() {
        Tensor negative = machine.tensor(new double[] {-1, 1});
        String message = assertThrows(
                        OutpostException.class,
                        () -> Anomaly.detect(
                                () -> negative.add(1).sub(1).log().mul(2).sum()))
                .getMessage();
        assertTrue(
                message.matches("anomaly: the first NaN was made by log \\[2] at CheckpointTest\\.java:\\d+"), message);
        Anomaly.detect(() -> negative.abs().log().toDoubleArray());
    }

    @Test
    void theFirstNanOfBackwardIsNamedWithTheLineOfItsForward() {
        Tensor zero = machine.tensor(new double[] {0}).requiresGrad(true);
        String message = assertThrows(
                        OutpostException.class,
                        () -> Anomaly.detect(
                                () -> zero.mul(0).sqrt().mul(0).sum().backward()))
                .getMessage();
        assertTrue(
                message.matches(
                        "anomaly: the first NaN was made by .*, in the backward of sqrt .* at CheckpointTest\\.java:\\d+"),
                message);
    }

    @Test
    void programsCannotBeLookedIntoForAnomalies() {
        var program = machine.program(in -> List.of(in.getFirst().log()));
        assertThrows(OutpostException.class, () -> Anomaly.detect(() -> program.call(machine.ones(1))));
    }
}
