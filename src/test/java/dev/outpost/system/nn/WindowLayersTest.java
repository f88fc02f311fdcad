package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.AdaptiveAvgPool2d;
import dev.outpost.nn.AdaptiveMaxPool2d;
import dev.outpost.nn.AvgPool2d;
import dev.outpost.nn.Conv1d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.ConvTranspose1d;
import dev.outpost.nn.Functional;
import dev.outpost.nn.MaxPool1d;
import dev.outpost.nn.MaxPool2d;
import dev.outpost.nn.MaxPool3d;
import dev.outpost.nn.MaxUnpool2d;
import dev.outpost.nn.WindowPadding;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests layers of windows; the parity cases test their ops. */
class WindowLayersTest {
    private static final long[] ZERO = {0};
    private static final long[] ONE = {1};

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
    void layersPrintTheirSettings() {
        assertEquals("Conv2d(3, 8, kernel_size=(5, 5), stride=(1, 1))", new Conv2d(3, 8, 5).toString());
        Conv2d full =
                new Conv2d(4, 8, new long[] {3, 5}, new long[] {2}, new long[] {1, 0}, new long[] {1, 2}, 2, false);
        assertEquals(
                "Conv2d(4, 8, kernel_size=(3, 5), stride=(2, 2), padding=(1, 0), dilation=(1, 2), groups=2, bias=False)",
                full.toString());
        assertEquals("Conv1d(3, 8, kernel_size=(5,), stride=(2,), padding=(1,))", new Conv1d(3, 8, 5, 2, 1).toString());
        assertEquals(
                "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)",
                new MaxPool2d(2).toString());
        assertEquals("AvgPool2d(kernel_size=3, stride=2, padding=1)", new AvgPool2d(3, 2, 1).toString());
    }

    @Test
    void layersComputeWhatTheFunctionsDo() {
        machine.manualSeed(1);
        Tensor images = machine.randn(2, 4, 9, 8);
        Conv2d layer =
                new Conv2d(4, 6, new long[] {3, 2}, new long[] {2, 1}, new long[] {1, 0}, new long[] {1, 2}, 2, true);
        layer.to(machine);
        assertEquals(Shape.of(6, 2, 3, 2), layer.weight().tensor().shape());
        Tensor expected = Functional.conv2d(
                images,
                layer.weight().tensor(),
                layer.bias().tensor(),
                new long[] {2, 1},
                new long[] {1, 0},
                new long[] {1, 2},
                2);
        assertEquals(Shape.of(2, 6, 5, 6), expected.shape());
        assertArrayEquals(expected.toDoubleArray(), layer.forward(images).toDoubleArray());
        assertEquals(Shape.of(2, 4, 4, 4), new MaxPool2d(2).forward(images).shape());
        assertEquals(
                Shape.of(2, 4, 5, 4), new AvgPool2d(3, 2, 1).forward(images).shape());
        Conv1d line = new Conv1d(4, 3, 5);
        line.to(machine);
        assertEquals(Shape.of(2, 3, 5), line.forward(images.select(3, 0)).shape());
    }

    /** Weights and biases are uniform up to 1 / √(number of summed elements). */
    @Test
    void firstValuesAreAsWideAsPyTorchs() {
        machine.manualSeed(2);
        Conv2d layer = new Conv2d(8, 64, new long[] {3}, ONE, ZERO, ONE, 2, true);
        layer.to(machine);
        double bound = 1 / Math.sqrt(4 * 9);
        for (Tensor drawn : new Tensor[] {layer.weight().tensor(), layer.bias().tensor()}) {
            double largest =
                    Arrays.stream(drawn.toDoubleArray()).map(Math::abs).max().orElseThrow();
            assertTrue(largest <= bound && largest > 0.9 * bound, "largest " + largest + " of " + bound);
        }
    }

    @Test
    void oneImageNeedsNoBatch() {
        machine.manualSeed(3);
        Tensor image = machine.randn(3, 6, 6);
        Tensor weight = machine.randn(4, 3, 3, 3);
        double[] expected = Functional.conv2d(image.unsqueeze(0), weight, null).toDoubleArray();
        Tensor found = Functional.conv2d(image, weight, null);
        assertEquals(Shape.of(4, 4, 4), found.shape());
        assertArrayEquals(expected, found.toDoubleArray());
        assertEquals(Shape.of(3, 3, 3), Functional.maxPool2d(image, 2).shape());
        assertEquals(Shape.of(3, 3, 3), Functional.avgPool2d(image, 2).shape());
    }

    /** Odd padding has one element more at the end. */
    @Test
    void theSameSizeIsPaddedMoreBehind() {
        Tensor image = machine.arange(6).float32().view(1, 1, 2, 3);
        Tensor weight = machine.tensor(new float[] {1, 10, 100, 1000}, 1, 1, 2, 2);
        Tensor same = Functional.conv2d(image, weight, null, ONE, WindowPadding.SAME, ONE, 1);
        Closeness.assertClose(new double[] {4310, 5421, 502, 43, 54, 5}, same);
    }

    @Test
    void theFirstOfEqualsTakesTheGradient() {
        Tensor image = machine.tensor(new float[] {1, 3, 3, 3, 2, 3}, 1, 2, 3).requiresGrad(true);
        ValuesAndIndices largest = Functional.maxPool2dWithIndices(image, new long[] {2}, ONE, ZERO, ONE, false);
        Closeness.assertClose(new double[] {3, 3}, largest.values());
        assertArrayEquals(new long[] {1, 1}, largest.indices().toLongArray());
        largest.values().sum().backward();
        Closeness.assertClose(new double[] {0, 2, 0, 0, 0, 0}, image.grad());
    }

    @Test
    void anEmptyBatchStaysOne() {
        Tensor nothing = machine.zeros(0, 3, 6, 6);
        assertEquals(
                Shape.of(0, 4, 4, 4),
                Functional.conv2d(nothing, machine.ones(4, 3, 3, 3), null).shape());
        assertEquals(Shape.of(0, 3, 3, 3), Functional.maxPool2d(nothing, 2).shape());
        assertEquals(Shape.of(0, 3, 3, 3), Functional.avgPool2d(nothing, 2).shape());
    }

    @Test
    void mismatchedInputsAreRefused() {
        Tensor image = machine.zeros(1, 4, 5, 5);
        Tensor weight = machine.zeros(6, 2, 3, 3);
        refuses(
                "conv2d: the weight must have the channels of a group, got [6, 2, 3, 3] for [1, 4, 5, 5] in 1 group",
                () -> Functional.conv2d(image, weight, null));
        refuses(
                "conv2d: channels must divide into groups, got 4 and 3",
                () -> Functional.conv2d(image, weight, null, ONE, ZERO, ONE, 3));
        refuses(
                "conv2d: the window is larger than the padded input, got 6 and 5",
                () -> Functional.conv2d(image, machine.zeros(1, 4, 6, 6), null));
        refuses(
                "conv2d: stride and dilation must be at least 1 and the padding 0, got 0, 1 and 0",
                () -> Functional.conv2d(image, weight, null, ZERO, ZERO, ONE, 2));
        refuses(
                "conv2d: stride and dilation must be at least 1 and the padding 0, got 1, 1 and -1",
                () -> Functional.conv2d(image, weight, null, ONE, new long[] {-1}, ONE, 2));
        refuses(
                "conv2d: stride needs one number or one for each of 2 dimensions, got [1, 1, 1]",
                () -> Functional.conv2d(image, weight, null, new long[] {1, 1, 1}, ZERO, ONE, 2));
        refuses(
                "conv2d: channels with 2 dimensions are needed, or a batch of them, got [4, 5]",
                () -> Functional.conv2d(machine.zeros(4, 5), weight, null));
        refuses(
                "conv1d: the weight must have 3 dimensions, got [6, 2, 3, 3]",
                () -> Functional.conv1d(machine.zeros(1, 4, 5), weight, null));
        refuses(
                "conv2d: the bias must have an element for each output, got [5] and [6, 2, 3, 3]",
                () -> Functional.conv2d(image, weight, machine.zeros(5), ONE, ZERO, ONE, 2));
        refuses(
                "conv2d: dtypes differ, got float32 and float64; cast the float32 one with to(DType.FLOAT64)",
                () -> Functional.conv2d(image, weight.to(DType.FLOAT64), null, ONE, ZERO, ONE, 2));
        refuses(
                "conv2d: the same size needs strides of 1, got [2]",
                () -> Functional.conv2d(image, weight, null, new long[] {2}, WindowPadding.SAME, ONE, 2));
        refuses(
                "conv2d: strides, paddings and dilations must be below 2^31, got 4294967296",
                () -> Functional.conv2d(image, weight, null, new long[] {1L << 32}, ZERO, ONE, 2));
        refuses(
                "Conv2d: channels must divide into groups, got 4 and 8 in 3",
                () -> new Conv2d(4, 8, ONE, ONE, ZERO, ONE, 3, true));
        refuses(
                "avg_pool2d: the padding must be at most half of the window, got 2 and 3",
                () -> Functional.avgPool2d(image, new long[] {3}, ONE, new long[] {2}, false, true, null));
        refuses(
                "avg_pool2d: the divisor must not be zero, got 0",
                () -> Functional.avgPool2d(image, new long[] {3}, ONE, ZERO, false, true, 0L));
        refuses(
                "max_pool2d: needs a floating dtype, got int64[4,5,5]; cast it first, as with to(DType.FLOAT32)",
                () -> Functional.maxPool2d(image.int64(), 2));
        refuses(
                "max_pool2d: only the batch may be empty, got [1, 0, 5, 5]",
                () -> Functional.maxPool2d(machine.zeros(1, 0, 5, 5), 2));
    }

    /** Errors name the function, not the base class that layers share. */
    @Test
    void layersRefuseUnderTheNameOfTheirFunction() {
        refuses("max_pool1d: the input must not be null", () -> new MaxPool1d(2).forward(null));
        refuses("max_pool3d: the input must not be null", () -> new MaxPool3d(2).forward(null));
        refuses("adaptive_max_pool2d: the input must not be null", () -> new AdaptiveMaxPool2d(2L).forward(null));
        refuses("adaptive_avg_pool2d: the input must not be null", () -> new AdaptiveAvgPool2d(2L).forward(null));
        refuses(
                "max_unpool2d: there must be an index for each element, got [2] and [1, 4, 4]",
                () -> new MaxUnpool2d(2).forward(machine.zeros(1, 4, 4), machine.zeros(2)));
        ConvTranspose1d transposed = new ConvTranspose1d(4, 4, 2);
        transposed.to(machine);
        refuses(
                "conv_transpose1d: channels with 1 dimension are needed, or a batch of them, got [4]",
                () -> transposed.forward(machine.zeros(4)));
    }

    private static void refuses(String message, Runnable call) {
        OpException refusal = assertThrows(OpException.class, call::run);
        assertEquals(message, refusal.getMessage());
    }
}
