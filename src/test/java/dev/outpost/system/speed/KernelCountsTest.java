package dev.outpost.system.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.SGD;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the cost of a dozen fixed programs: {@link Counts}. Nothing is timed: a changed number shows a change of the planner or of a
 * composition, which should be reviewed, with the reason written next to the number.
 */
class KernelCountsTest {
    private static final int SIZE = 32;

    private final WatchedMachine watched = new WatchedMachine();
    private final RemoteMachine machine = watched.machine();
    private final Tensor x = machine.randn(SIZE, SIZE);
    private final Tensor y = machine.randn(SIZE, SIZE);
    private final Tensor row = machine.randn(SIZE);

    @AfterEach
    void close() {
        watched.close();
    }

    /** The counts of the second run of a program in a scope, whose result is read after the scope. */
    private Counts ofResult(Supplier<Tensor> program) throws InterruptedException {
        return counts(() -> run(program));
    }

    /**
     * The counts of the plans, after the machine has run the same number of kernels. After two runs it knows which values are read later.
     */
    private Counts counts(Runnable program) throws InterruptedException {
        program.run();
        program.run();
        long before = kernels();
        Counts counts = Counts.of(watched.graphsOf(program));
        assertEquals(counts.kernels(), kernels() - before);
        return counts;
    }

    private long kernels() {
        machine.synchronize();
        return machine.stats().kernels();
    }

    private void run(Supplier<Tensor> program) {
        Tensor result;
        try (Scope scope = machine.scope()) {
            result = scope.keep(program.get());
        }
        result.toFloatArray();
        result.close();
    }

    /** Everything in one loop: one input matrix, one output matrix, and two numbers. */
    @Test
    void aChain() throws InterruptedException {
        assertEquals(
                new Counts(4, 1, 8200, 1, 8192),
                ofResult(() -> x.mul(2).add(1).relu().tanh()));
    }

    /** Both sides are fused into the loop that joins them: two input matrices, one output matrix, and a number. */
    @Test
    void twoChainsThatMeet() throws InterruptedException {
        assertEquals(
                new Counts(5, 1, 12292, 1, 12288),
                ofResult(() -> x.add(1).exp().mul(y.neg().sigmoid())));
    }

    /** A row is read in place, and not broadcast before. */
    @Test
    void aBroadcast() throws InterruptedException {
        assertEquals(
                new Counts(3, 1, 12416, 1, 12416),
                ofResult(() -> x.add(row).relu().mul(y)));
    }

    /** Everything row by row in one kernel. */
    @Test
    void aSoftmax() throws InterruptedException {
        assertEquals(new Counts(5, 1, 8192, 1, 8192), ofResult(() -> x.softmax(1)));
    }

    /** Everything row by row in one kernel; the numbers are the two counts and the epsilon. */
    @Test
    void aLayerNorm() throws InterruptedException {
        assertEquals(
                new Counts(9, 1, 8204, 1, 8192),
                ofResult(() -> Functional.layerNorm(x, new long[] {SIZE}, null, null, 1e-5)));
    }

    /**
     * The difference, its square and the total sum in one kernel: two input matrices and an output number, which another kernel divides.
     */
    @Test
    void aMeanOfManyElements() throws InterruptedException {
        Tensor large = machine.randn(128, 256);
        Tensor target = machine.randn(128, 256);
        assertEquals(
                new Counts(4, 2, 262160, 1, 262148),
                ofResult(() -> large.sub(target).square().mean()));
    }

    /** A product is a separate kernel, without a view before or after it, and the rest is one loop over its result. */
    @Test
    void aLinearLayerAndItsActivation() throws InterruptedException {
        assertEquals(
                new Counts(3, 2, 20608, 1, 12416),
                ofResult(() -> x.matmul(y).add(row).relu()));
    }

    /** The sum is not read, so it is not computed: the gradient takes one loop, without the initial 1. */
    @Test
    void aGeluForwardAndBackward() throws InterruptedException {
        assertEquals(new Counts(19, 1, 8208, 1, 8192), ofResult(() -> {
            Tensor input = x.detach().requiresGrad(true);
            Functional.gelu(input).sum().backward();
            return input.grad();
        }));
    }

    /** Two products forward, three backward, none of them copied; the rest is loops and rows, including a loop for each parameter. */
    @Test
    void aStepOfSgd() throws InterruptedException {
        assertEquals(new Counts(38, 15, 75008, 12, 18724), step(parameters -> new SGD(parameters, 0.1)));
    }

    /** As many kernels and buffers as SGD: both moments and the update of a parameter are one loop over all three. */
    @Test
    void aStepOfAdam() throws InterruptedException {
        assertEquals(new Counts(82, 15, 94096, 12, 28228), step(parameters -> new Adam(parameters, 1e-3)));
    }

    private Counts step(Function<List<Parameter>, Optimizer> maker) throws InterruptedException {
        var model = new Sequential(new Linear(SIZE, SIZE), new ReLU(), new Linear(SIZE, 4)).to(machine);
        Optimizer optimizer = maker.apply(model.parameters());
        Supplier<Tensor> step = () -> {
            optimizer.zeroGrad();
            Tensor loss = model.forward(x).square().mean();
            loss.backward();
            optimizer.step();
            return loss;
        };
        return ofResult(step);
    }

    /** Three times 1.6 MB of parameters, and at the peak the first layer's gradient, which is used in the product's layout. */
    @Test
    void aTrainingStepOfAnMlp() throws InterruptedException {
        assertEquals(new Counts(105, 20, 16353408, 19, 6845088), counts(Trainings.mlp(machine)));
    }

    /** The result of the first convolution has 5.5 MB, and most of the held and moved bytes are of its size. */
    @Test
    void aTrainingStepOfAConvolutionalNet() throws InterruptedException {
        assertEquals(new Counts(203, 42, 114389264, 35, 14876064), counts(Trainings.convolution(machine)));
    }

    /**
     * The mask and the views that forward and backward have in common are there once, a normalization is one kernel over rows,
     * and attention is one each way, which holds no weights. The gradients of queries, keys and values are written into one. The
     * slope of each of three reciprocal roots is three products, not a power and one. Three gradients of biases are sums of what rows
     * read anyway, and go with them. From forward to backward each activation leaves one matrix, its slope.
     */
    @Test
    void aTrainingStepOfATransformer() throws InterruptedException {
        assertEquals(new Counts(516, 69, 8145540, 67, 1600512), counts(Trainings.transformer(machine)));
    }
}
