package dev.outpost.system.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.MachineStats;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What fixed programs cost in instructions and in kernels. Nothing is timed: a number that changes is a change of the planner
 * or of a composition, which is to be looked at, and whose reason is to be written beside it.
 */
class KernelCountsTest {
    private static final int SIZE = 32;

    private final RemoteMachine machine =
            RemoteMachine.of(new MockProvider(MockSettings.STANDARD), "any", new MachineOptions());
    private final Tensor x = machine.randn(SIZE, SIZE);
    private final Tensor y = machine.randn(SIZE, SIZE);
    private final Tensor row = machine.randn(SIZE);

    private record Counts(long instructions, long kernels) {}

    @AfterEach
    void close() {
        machine.close();
    }

    /** Of a program in a scope whose result is looked at, the second time. */
    private Counts counts(Supplier<Tensor> program) {
        run(program);
        MachineStats before = stats();
        run(program);
        MachineStats after = stats();
        return new Counts(after.instructions() - before.instructions(), after.kernels() - before.kernels());
    }

    private MachineStats stats() {
        machine.synchronize();
        return machine.stats();
    }

    private void run(Supplier<Tensor> program) {
        try (Scope scope = machine.scope()) {
            program.get().toFloatArray();
        }
    }

    /** All of it in one loop. */
    @Test
    void aChain() {
        assertEquals(new Counts(4, 1), counts(() -> x.mul(2).add(1).relu().tanh()));
    }

    /** Both sides go into the loop that joins them. */
    @Test
    void twoChainsThatMeet() {
        assertEquals(new Counts(5, 1), counts(() -> x.add(1).exp().mul(y.neg().sigmoid())));
    }

    /** A row is read where it is, and not spread before. */
    @Test
    void aBroadcast() {
        assertEquals(new Counts(3, 1), counts(() -> x.add(row).relu().mul(y)));
    }

    /** The largest of each row, the exponentials of what is below it, their sum, the quotient: while the row is near. */
    @Test
    void aSoftmax() {
        assertEquals(new Counts(5, 1), counts(() -> x.softmax(1)));
    }

    /** Two means, what is between them and what follows, row by row. */
    @Test
    void aLayerNorm() {
        assertEquals(new Counts(9, 1), counts(() -> Functional.layerNorm(x, new long[] {SIZE}, null, null, 1e-5)));
    }

    /** A product stands by itself, and what follows is one loop; the other instructions are views. */
    @Test
    void aLinearLayerAndItsActivation() {
        assertEquals(new Counts(6, 2), counts(() -> x.matmul(y).add(row).relu()));
    }

    /** The one that the gradient starts from; forward, the sum and the gradient in one pass, since it is one short row. */
    @Test
    void aGeluForwardAndBackward() {
        assertEquals(new Counts(19, 2), counts(() -> {
            Tensor input = x.detach().requiresGrad(true);
            Functional.gelu(input).sum().backward();
            return input.grad();
        }));
    }

    /** Two products forward, three backward, one sum over the batch that has no loop to go along with, and a loop for each parameter and in between. */
    @Test
    void aStepOfSgd() {
        assertEquals(new Counts(51, 17), step(parameters -> new SGD(parameters, 0.1)));
    }

    /** No kernel more than that of SGD: both moments and the update of a parameter are one loop. */
    @Test
    void aStepOfAdam() {
        assertEquals(new Counts(103, 17), step(parameters -> new Adam(parameters, 1e-3)));
    }

    private Counts step(Function<List<Parameter>, Optimizer> maker) {
        var model = new Sequential(new Linear(SIZE, SIZE), new ReLU(), new Linear(SIZE, 4)).to(machine);
        Optimizer optimizer = maker.apply(model.parameters());
        return counts(() -> {
            optimizer.zeroGrad();
            Tensor loss = model.forward(x).square().mean();
            loss.backward();
            optimizer.step();
            return loss;
        });
    }
}
