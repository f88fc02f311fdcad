package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Fan;
import dev.outpost.nn.Init;
import dev.outpost.nn.Initializer;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Nonlinearity;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the formulas of torch.nn.init, with the machine's own uniform and normal numbers. */
class InitFormulasTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Tensor doubles(long... shape) {
        return machine.zeros(DType.FLOAT64, shape);
    }

    /** Uniform numbers between minus a bound and the bound. */
    private static void assertEven(double bound, UnaryOperator<Tensor> init, long... shape) {
        double[] expected = doubles(shape).uniform_(0, 1, new Generator(1)).toDoubleArray();
        for (int i = 0; i < expected.length; i++) {
            expected[i] = expected[i] * 2 * bound - bound;
        }
        Closeness.assertClose(expected, init.apply(doubles(shape)));
    }

    private static void assertNormal(double deviation, UnaryOperator<Tensor> init, long... shape) {
        double[] expected =
                doubles(shape).normal_(0, deviation, new Generator(1)).toDoubleArray();
        Closeness.assertClose(expected, init.apply(doubles(shape)));
    }

    @Test
    void gainsAreThoseOfPyTorch() {
        assertEquals(1, Init.calculateGain(Nonlinearity.LINEAR));
        assertEquals(1, Init.calculateGain(Nonlinearity.SIGMOID));
        assertEquals(5.0 / 3, Init.calculateGain(Nonlinearity.TANH));
        assertEquals(Math.sqrt(2), Init.calculateGain(Nonlinearity.RELU));
        assertEquals(Math.sqrt(2 / (1 + 0.0001)), Init.calculateGain(Nonlinearity.LEAKY_RELU));
        assertEquals(Math.sqrt(2 / 1.04), Init.calculateGain(Nonlinearity.LEAKY_RELU, 0.2));
        assertEquals(0.75, Init.calculateGain(Nonlinearity.SELU));
    }

    /** A weight [4, 3, 2, 2] has a fan in of 12 and a fan out of 16. */
    @Test
    void boundsAndDeviationsFollowTheFans() {
        Generator one = new Generator(1);
        long[] shape = {4, 3, 2, 2};
        double slope = Math.sqrt(2 / 1.25);
        assertEven(2 * Math.sqrt(6 / 28.0), x -> Init.xavierUniform_(x, 2, one.manualSeed(1)), shape);
        assertNormal(2 * Math.sqrt(2 / 28.0), x -> Init.xavierNormal_(x, 2, one.manualSeed(1)), shape);
        assertEven(
                slope * Math.sqrt(3 / 12.0),
                x -> Init.kaimingUniform_(x, 0.5, Fan.IN, Nonlinearity.LEAKY_RELU, one.manualSeed(1)),
                shape);
        assertNormal(
                Math.sqrt(2) / 4, x -> Init.kaimingNormal_(x, 0, Fan.OUT, Nonlinearity.RELU, one.manualSeed(1)), shape);
        machine.manualSeed(1);
        assertEven(Math.sqrt(6 / 12.0), Init::kaimingUniform_, shape);
        machine.manualSeed(1);
        assertEven(Math.sqrt(6 / 28.0), Init::xavierUniform_, shape);
        machine.manualSeed(1);
        assertNormal(Math.sqrt(2 / 12.0), Init::kaimingNormal_, shape);
        machine.manualSeed(1);
        assertNormal(Math.sqrt(2 / 28.0), Init::xavierNormal_, shape);
        assertEven(2, x -> Init.uniform_(x, -2, 2, one.manualSeed(1)), 5);
        assertNormal(3, x -> Init.normal_(x, 0, 3, one.manualSeed(1)), 5);
        assertEquals(0, Init.kaimingUniform_(doubles(0, 3)).numel());
        assertRefused("fan: a weight needs two dimensions or more, got [3]", () -> Init.xavierUniform_(doubles(3)));
    }

    @Test
    void truncatedNormalNumbersStayWithinTheirBounds() {
        double[] values =
                Init.truncNormal_(doubles(20_000), 1, 2, 0, 4, new Generator(2)).toDoubleArray();
        assertTrue(Arrays.stream(values).allMatch(value -> value >= 0 && value <= 4));
        // Mean and deviation of a normal distribution cut at -0.5 and 1.5 deviations.
        double density = Math.exp(-0.125) - Math.exp(-1.125);
        double share = Math.sqrt(2 * Math.PI) * (0.9331927987311419 - 0.3085375387259869);
        assertEquals(1 + 2 * density / share, Arrays.stream(values).average().orElseThrow(), 0.03);
        assertRefused(
                "trunc_normal_: a positive deviation and ordered bounds are needed, got 1.0 and 2.0 to -2.0",
                () -> Init.truncNormal_(doubles(2), 0, 1, 2, -2));
    }

    @Test
    void constants() {
        Closeness.assertClose(new double[] {1, 0, 0, 0, 1, 0}, Init.eye_(doubles(2, 3)));
        Closeness.assertClose(new double[] {2.5, 2.5}, Init.constant_(doubles(2), 2.5));
        Closeness.assertClose(new double[] {1, 1}, Init.ones_(doubles(2)));
        Closeness.assertClose(new double[] {0, 0}, Init.zeros_(machine.ones(2)));
        assertRefused("eye_: two dimensions are needed, got [2]", () -> Init.eye_(doubles(2)));
    }

    /** A convolution with such kernels returns its input channels, as many as it has outputs. */
    @Test
    void diracKernelsHandTheirChannelOn() {
        Closeness.assertClose(new double[] {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, Init.dirac_(doubles(2, 2, 3)));
        double[] grouped = new double[4 * 3 * 3 * 3];
        for (int output = 0; output < 4; output++) {
            grouped[output * 27 + output % 2 * 9 + 4] = 1;
        }
        Closeness.assertClose(grouped, Init.dirac_(doubles(4, 3, 3, 3), 2));
        assertRefused(
                "dirac_: the outputs must divide into groups, got 3 and [4, 1, 3]",
                () -> Init.dirac_(doubles(4, 1, 3), 3));
        assertRefused("dirac_: three to five dimensions are needed, got [2, 2]", () -> Init.dirac_(doubles(2, 2)));
    }

    @Test
    void orthogonalRowsOrColumns() {
        Tensor wide = Init.orthogonal_(doubles(3, 2, 4), 2).reshape(3, 8);
        Closeness.assertClose(
                machine.eye(3).mul(4).toDoubleArray(), wide.matmul(wide.t()).add(0));
        Tensor tall = Init.orthogonal_(doubles(5, 2));
        Closeness.assertClose(machine.eye(2).toDoubleArray(), tall.t().matmul(tall));
        assertRefused("orthogonal_: two dimensions or more are needed, got [3]", () -> Init.orthogonal_(doubles(3)));
    }

    @Test
    void sparseColumnsHaveTheirShareOfZeros() {
        Tensor matrix = Init.sparse_(doubles(10, 50), 0.25, 0.5, new Generator(3));
        double[] zeros = new double[50];
        Arrays.fill(zeros, 3);
        Closeness.assertClose(zeros, matrix.eq(0).sum(0).float64());
        // At other places in other columns.
        assertTrue(matrix.eq(0).any(1).all().toBooleanArray()[0]);
        Tensor others = matrix.maskedSelect(matrix.ne(0));
        assertEquals(0.5, others.square().mean().sqrt().itemDouble(), 0.06);
    }

    @Test
    void initializersAreTheSameFillings() {
        Generator generator = new Generator(4);
        for (Initializer initializer :
                List.of(Init.truncNormal(0, 1, -2, 2), Init.orthogonal(1), Init.sparse(0.5, 1), Init.eye())) {
            HostTensor first = initializer
                    .create(machine.manualSeed(4), shape(), DType.FLOAT64)
                    .toHost();
            assertEquals(
                    first,
                    initializer
                            .create(machine.manualSeed(4), shape(), DType.FLOAT64)
                            .toHost());
        }
        machine.manualSeed(4);
        assertEquals(
                Init.orthogonal_(doubles(3, 3), 1, generator).toHost(),
                Init.orthogonal(1).create(machine, shape(), DType.FLOAT64).toHost());
    }

    private static Shape shape() {
        return Shape.of(3, 3);
    }

    @Test
    void parametersAreInitializedBeforeAndAfterTheyWentToAMachine() {
        Linear layer = new Linear(2, 2);
        layer.weight().initialize(Init.eye());
        layer.to(machine);
        Closeness.assertClose(new double[] {1, 0, 0, 1}, layer.weight().tensor());
        Tensor tensor = layer.weight().tensor();
        layer.weight().initialize(Init.constant(3));
        assertSame(tensor, layer.weight().tensor());
        Closeness.assertClose(new double[] {3, 3, 3, 3}, tensor);
        assertSame(tensor, Init.ones_(tensor));
        assertTrue(tensor.requiresGrad() && tensor.isLeaf());
        Closeness.assertClose(new double[] {1, 1, 1, 1}, tensor);
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OpException.class, call).getMessage());
    }
}
