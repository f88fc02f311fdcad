package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fills use PyTorch's formulas with the same uniform or normal numbers, and have the means of their distributions. */
class RandomFillOpsTest extends OpsOnAMachine {
    private static final int MANY = 100_000;

    private static Tensor filled(long seed, DType dtype, UnaryOperator<Tensor> fill) {
        machine.manualSeed(seed);
        return fill.apply(machine.zeros(dtype, MANY));
    }

    private static void assertFormula(UnaryOperator<Tensor> fill, UnaryOperator<Tensor> source, DoubleUnaryOperator f) {
        double[] actual = filled(7, DType.FLOAT64, fill).toDoubleArray();
        machine.manualSeed(7);
        double[] drawn = source.apply(machine.zeros(DType.FLOAT64, MANY)).toDoubleArray();
        for (int i = 0; i < MANY; i++) {
            double expected = f.applyAsDouble(drawn[i]);
            assertEquals(expected, actual[i], 1e-11 * Math.max(1, Math.abs(expected)), "element " + i);
        }
    }

    private static double mean(Tensor tensor) {
        return Arrays.stream(tensor.toDoubleArray()).average().orElseThrow();
    }

    @Test
    void formulas() {
        UnaryOperator<Tensor> uniform = Tensor::randLike;
        UnaryOperator<Tensor> normal = Tensor::randnLike;
        assertFormula(x -> x.uniform_(-2, 3), uniform, u -> u * 5 - 2);
        assertFormula(x -> x.normal_(1, 0.5), normal, z -> z * 0.5 + 1);
        assertFormula(x -> x.logNormal_(0.1, 0.5), normal, z -> Math.exp(z * 0.5 + 0.1));
        assertFormula(x -> x.exponential_(2), uniform, u -> -Math.log1p(-u) / 2);
        assertFormula(x -> x.geometric_(0.3), uniform, u -> Math.max(1, Math.ceil(Math.log1p(-u) / Math.log1p(-0.3))));
        assertFormula(x -> x.bernoulli_(0.3), uniform, u -> u < 0.3 ? 1 : 0);
        double[] cauchy = filled(7, DType.FLOAT64, x -> x.cauchy_(1, 2)).toDoubleArray();
        machine.manualSeed(7);
        double[] drawn = machine.rand(DType.FLOAT64, MANY).toDoubleArray();
        for (int i = 0; i < MANY; i++) {
            // The share below: the tangent itself is steep at the ends.
            assertEquals(drawn[i], 0.5 + Math.atan((cauchy[i] - 1) / 2) / Math.PI, 1e-12, "element " + i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void momentsInEveryDType(DType dtype) {
        assertEquals(0.25, mean(filled(1, dtype, x -> x.bernoulli_(0.25))), 0.01);
        assertEquals(2, mean(filled(2, DType.FLOAT32, x -> x.geometric_(0.5))), 0.03);
        assertEquals(
                dtype == DType.BOOL ? 0.5 : 49.5,
                mean(filled(3, dtype, x -> x.random_(0, dtype == DType.BOOL ? 2 : 100))),
                0.5);
        if (dtype.isFloating()) {
            assertEquals(0.5, mean(filled(4, dtype, Tensor::uniform_)), 0.01);
            assertEquals(0, mean(filled(5, dtype, Tensor::normal_)), 0.02);
            assertEquals(1, mean(filled(6, dtype, Tensor::exponential_)), 0.02);
            assertEquals(Math.exp(0.5), mean(filled(7, dtype, x -> x.logNormal_(0, 1))), 0.05);
        }
    }

    @Test
    void wholeNumbersCoverTheirDType() {
        long[] bytes = filled(1, DType.INT8, Tensor::random_).toLongArray();
        assertEquals(0, Arrays.stream(bytes).min().orElseThrow());
        assertEquals(127, Arrays.stream(bytes).max().orElseThrow());
        long[] unsigned = filled(1, DType.UINT8, Tensor::random_).toLongArray();
        assertEquals(255, Arrays.stream(unsigned).max().orElseThrow());
        assertTrue(filled(1, DType.FLOAT32, Tensor::random_).le(1L << 24).all().toBooleanArray()[0]);
        assertTrue(filled(1, DType.INT64, Tensor::random_).gt(1L << 61).any().toBooleanArray()[0]);
        assertEquals(
                List.of(-3L, -2L, -1L),
                Arrays.stream(filled(1, DType.INT8, x -> x.random_(-3, 0)).toLongArray())
                        .distinct()
                        .sorted()
                        .boxed()
                        .toList());
        assertRefused(
                "random_: int8 holds whole numbers from -128 to 127, got 0 and 129",
                () -> machine.zeros(DType.INT8, 2).random_(0, 129));
        assertRefused("random_: from must be below to, got 3 and 3", () -> longs(1).random_(3, 3));
    }

    @Test
    void fillsWriteThroughViewsAndAnswerTheTensor() {
        Tensor x = machine.zeros(4, 4);
        Tensor part = x.narrow(1, 1, 2);
        assertSame(part, part.uniform_(1, 2));
        assertEquals(8, x.ge(1).sum().itemLong());
        assertValues(x.select(1, 0), 0, 0, 0, 0);
        Tensor p = machine.tensor(new double[] {0, 1});
        assertValues(machine.zeros(2, 2).bernoulli_(p), 0, 1, 0, 1);
    }

    @Test
    void autogradSeesZerosForWhatWasThere() {
        Tensor leaf = doubles(1, 2).requiresGrad(true);
        assertThrows(OpException.class, leaf::uniform_);
        Tensor x = leaf.mul(3);
        x.normal_();
        x.sum().backward();
        assertValues(leaf.grad(), 0, 0);
        GradMode.noGrad(() -> {
            leaf.uniform_(5, 6);
        });
        assertTrue(leaf.ge(5).all().toBooleanArray()[0]);
    }

    @Test
    void badArgumentsAreRefused() {
        Tensor x = doubles(1, 2);
        assertRefused("uniform_: from must not be above to, got 2.0 and 1.0", () -> x.uniform_(2, 1));
        assertRefused("normal_: the deviation must not be negative, got -1.0", () -> x.normal_(0, -1));
        assertRefused("exponential_: the rate must be positive, got 0.0", () -> x.exponential_(0));
        assertRefused("cauchy_: the scale must be positive, got -1.0", () -> x.cauchy_(0, -1));
        assertRefused("log_normal_: the deviation must be positive, got 0.0", () -> x.logNormal_(0, 0));
        assertRefused("geometric_: the probability must be between 0 and 1, got 1.0", () -> x.geometric_(1));
        assertRefused("bernoulli_: the probability must be between 0 and 1, got 1.5", () -> x.bernoulli_(1.5));
        assertRefused(
                "bernoulli_: the probabilities do not broadcast, got [3] into [2]",
                () -> x.bernoulli_(doubles(0, 0, 1)));
        assertRefused(
                "uniform_: needs a floating dtype, got int64[1]; cast it first, as with to(DType.FLOAT32)",
                () -> longs(1).uniform_());
    }

    // ---- generators

    @Test
    void equalGeneratorsGiveEqualNumbersAndLeaveTheMachinesStreamAlone() {
        machine.manualSeed(3);
        HostTensor expected = machine.rand(5).toHost();
        machine.manualSeed(3);
        Generator generator = new Generator(11);
        List<HostTensor> first = drawn(generator);
        assertEquals(expected, machine.rand(5).toHost());
        assertEquals(first, drawn(new Generator(11)));
        assertEquals(first, drawn(generator.manualSeed(11)));
        assertNotEquals(first, drawn(new Generator(12)));
    }

    private static List<HostTensor> drawn(Generator generator) {
        Tensor x = machine.zeros(4);
        return List.of(
                machine.rand(generator, 3).toHost(),
                machine.randn(generator, DType.FLOAT64, 3).toHost(),
                machine.randint(generator, 0, 100, 3).toHost(),
                machine.randperm(generator, 6).toHost(),
                x.randLike(generator).toHost(),
                x.randnLike(generator).toHost(),
                x.int64().randintLike(generator, 0, 9).toHost(),
                x.uniform_(0, 2, generator).toHost(),
                x.normal_(0, 2, generator).toHost(),
                x.exponential_(2, generator).toHost(),
                x.cauchy_(0, 1, generator).toHost(),
                x.logNormal_(0, 1, generator).toHost(),
                x.geometric_(0.5, generator).toHost(),
                x.bernoulli_(0.5, generator).toHost(),
                x.random_(0, 50, generator).toHost(),
                x.random_(generator).toHost());
    }

    @Test
    void aGeneratorOfASeedIsAMachineWithThatSeed() {
        machine.manualSeed(21);
        Generator generator = new Generator(21);
        assertEquals(machine.rand(4).toHost(), machine.rand(generator, 4).toHost());
        assertEquals(machine.randn(4).toHost(), machine.randn(generator, 4).toHost());
        assertEquals(new Generator.State(21, 2), generator.state());
    }

    @Test
    void aStateIsGoneOnFrom() {
        Generator generator = new Generator(5);
        machine.rand(generator, 2);
        Generator.State state = generator.state();
        HostTensor next = machine.rand(generator, 2).toHost();
        assertEquals(next, machine.rand(generator.state(state), 2).toHost());
        assertEquals(next, machine.rand(new Generator(0).state(state), 2).toHost());
        assertRefused("generator: the number of draws must not be negative, got -1", () -> new Generator.State(1, -1));
    }

    @Test
    void forksAreEqualInEqualProgramsAndDifferFromEachOther() {
        Generator one = new Generator(5);
        Generator other = new Generator(5);
        long first = one.fork().seed();
        assertEquals(first, other.fork().seed());
        assertNotEquals(first, one.fork().seed());
        assertNotEquals(first, one.seed());
        assertEquals(2, one.state().draws());
    }

    @Test
    void aTracedProgramRefusesAGenerator() {
        Generator generator = new Generator(1);
        OutpostException refused = assertThrows(
                OutpostException.class,
                () -> machine.program(inputs -> List.of(machine.rand(generator, 2)))
                        .call());
        assertTrue(refused.getMessage().contains("a program draws from the stream of each call"), refused.getMessage());
    }

    @Test
    void shapesAndDTypesOfGeneratorsDraws() {
        Generator generator = new Generator(1);
        assertIs(DType.FLOAT16, Shape.of(2, 3), machine.rand(generator, DType.FLOAT16, 2, 3));
        assertIs(DType.INT32, Shape.SCALAR, machine.randint(generator, -1, 1, DType.INT32));
    }
}
