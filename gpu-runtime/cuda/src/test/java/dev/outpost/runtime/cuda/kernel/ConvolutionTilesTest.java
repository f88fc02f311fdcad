package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.CudaEngine;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Convolutions with enough channels to fill tiles are products of matrices; others are computed directly. */
class ConvolutionTilesTest {
    /** About the largest product of two ordinary samples. */
    private static final double LARGEST = 81;

    private static final Slide STEPS = new Slide(2, 1, 1);
    private static final Slide GAPS = new Slide(1, 2, 2);

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 26);
    private final CudaEngine engine = EmulatedEngines.over(gpu);

    @AfterEach
    void close() {
        engine.close();
    }

    private static TestOperand operand(Shape shape, int salt) {
        return TestOperand.of(OperandSamples.ORDINARY, DType.FLOAT32, Layout.contiguous(shape), salt);
    }

    /** Compares a convolution with the reference and returns its kernels. */
    private List<String> kernels(long accumulated, Convolution op, Shape first, Shape second) {
        gpu.calls();
        Case run = Case.accumulating(accumulated, LARGEST, op, operand(first, 0), operand(second, 1));
        new EngineComparison(new ReferenceEngine(), engine).check(run);
        return gpu.calls().stream()
                .filter(call -> call.startsWith("launch"))
                .map(call -> call.split(" ")[1])
                .distinct()
                .toList();
    }

    @Test
    void aConvolutionAndItsGradientsInGroupsWithStepsAndGaps() {
        Convolution forward = Convolution.forward(STEPS, GAPS, 2);
        Shape input = Shape.of(3, 20, 7, 9);
        Shape weight = Shape.of(18, 10, 3, 2);
        Shape output = Shape.of(3, 18, 4, 11);
        List<String> tiles = List.of("convolution_tiles");
        assertEquals(tiles, kernels(60, forward, input, weight));
        assertEquals(tiles, kernels(54, forward.to(Convolution.Fn.INPUT, input), weight, output));
        assertEquals(tiles, kernels(132, forward.to(Convolution.Fn.WEIGHT, weight), input, output));
    }

    /** A gradient of few elements, each a sum over all places of all images. */
    @Test
    void aLongSumIsCut() {
        Slide plain = new Slide(1, 0, 1);
        Convolution forward = Convolution.forward(plain, plain, 1);
        Shape weight = Shape.of(8, 3, 2, 2);
        Convolution gradient = forward.to(Convolution.Fn.WEIGHT, weight);
        assertEquals(
                List.of("convolution_tiles", "reduce"),
                kernels(2 * 15 * 20, gradient, Shape.of(2, 3, 16, 21), Shape.of(2, 8, 15, 20)));
    }

    @Test
    void channelByChannelItIsComputedDirectly() {
        Convolution forward = Convolution.forward(STEPS, STEPS, 12);
        assertEquals(List.of("convolution"), kernels(9, forward, Shape.of(2, 12, 9, 9), Shape.of(12, 1, 3, 3)));
    }
}
