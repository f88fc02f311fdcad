package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.engine.cpu.index.ElementMoves;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.product.Blas;
import dev.outpost.runtime.engine.cpu.product.Multiplier;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.Optional;

/**
 * Convolutions and their gradients as matrix products of windows. Only a bounded part of the windows is in memory at a time. 16-bit
 * floats are computed in float32, and integers in int64, which wraps to the same result.
 */
public record Convolutions(Elementwise elementwise, Optional<Blas> blas) {
    /** The number of moved elements that justifies a separate thread. */
    private static final int GRAIN = 16 << 10;

    public void run(Convolution op, Array first, Array second, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = accumulator(result.dtype());
            Array target = dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
            boolean isEmpty = first.shape().isEmpty() || second.shape().isEmpty();
            if (isEmpty || op.fn() != Convolution.Fn.FORWARD) {
                Fills.fill(elementwise, Scalar.of(dtype, 0L), target);
            }
            if (!isEmpty) {
                Array left = elementwise.contiguous(first, dtype, scratch);
                Array right = elementwise.contiguous(second, dtype, scratch);
                accumulate(op, left, right, target, scratch);
            }
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private static DType accumulator(DType dtype) {
        return switch (dtype) {
            case FLOAT16, BFLOAT16, FLOAT32 -> DType.FLOAT32;
            case FLOAT64 -> DType.FLOAT64;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> DType.INT64;
        };
    }

    private void accumulate(Convolution op, Array first, Array second, Array result, Scratch scratch) {
        Multiplier multiplier = new Multiplier(result.dtype(), blas, elementwise);
        switch (op.fn()) {
            case FORWARD -> new ConvolutionRun(op, first, second, result, elementwise, multiplier).forward();
            case INPUT -> {
                if (isQuickerBackwards(first.shape(), second.shape(), result.shape())
                        && goesBackwards(op.rows(), first.shape().size(2))
                        && goesBackwards(op.columns(), first.shape().size(3))) {
                    Array turned = turned(op, first, scratch);
                    new ConvolutionRun(backwards(op, first.shape()), second, turned, result, elementwise, multiplier)
                            .forward();
                } else {
                    new ConvolutionRun(op, result, first, second, elementwise, multiplier).input();
                }
            }
            case WEIGHT -> new ConvolutionRun(op, first, result, second, elementwise, multiplier).weight();
        }
    }

    /**
     * Returns true if the gradient of the input is computed faster as a convolution. For each element of the kernel,
     * a convolution copies the outputs at every position of the input. The direct method adds the channels at every
     * position of the output, and adding takes about twice as long as copying.
     */
    private static boolean isQuickerBackwards(Shape weight, Shape output, Shape input) {
        long copied = weight.size(0) * input.size(2) * input.size(3);
        long added = input.size(1) * output.size(2) * output.size(3);
        return copied <= 2 * added;
    }

    /** Returns true if the strides are 1 and the padding fits into an int. */
    private static boolean goesBackwards(Slide slide, long kernel) {
        return slide.stride() == 1 && slide.dilation() * (kernel - 1) <= Integer.MAX_VALUE;
    }

    /**
     * Returns the gradient of the input as a convolution with flipped kernels, which is possible with strides of 1. It copies windows
     * instead of summing them.
     */
    private static Convolution backwards(Convolution op, Shape weight) {
        return Convolution.forward(
                backwards(op.rows(), weight.size(2)), backwards(op.columns(), weight.size(3)), op.groups());
    }

    /** Returns the movement of the flipped kernel in one dimension. Its padding may be negative, which leaves elements out. */
    private static Slide backwards(Slide slide, long kernel) {
        return new Slide(1, (int) (slide.dilation() * (kernel - 1) - slide.padding()), slide.dilation());
    }

    /** Returns the flipped kernels, with channels and outputs of a group exchanged. */
    private Array turned(Convolution op, Array weight, Scratch scratch) {
        int outputs = (int) weight.shape().size(0) / op.groups();
        int channels = (int) weight.shape().size(1);
        int kernel = (int) (weight.shape().size(2) * weight.shape().size(3));
        Array turned = scratch.array(
                weight.dtype(),
                Shape.of(
                        (long) op.groups() * channels,
                        outputs,
                        weight.shape().size(2),
                        weight.shape().size(3)));
        int line = outputs * kernel;
        elementwise.workers().run(op.groups() * channels, Math.max(1, GRAIN / line), (from, to) -> {
            int[] positions = new int[line];
            for (int row = from; row < to; row++) {
                int first = (int) weight.layout().offset()
                        + (row / channels * outputs * channels + row % channels) * kernel;
                for (int i = 0; i < line; i++) {
                    positions[i] = first + i / kernel * channels * kernel + kernel - 1 - i % kernel;
                }
                ElementMoves.gather(
                        Elementwise.javaArray(weight), positions, Elementwise.javaArray(turned), row * line, line);
            }
        });
        return turned;
    }
}
