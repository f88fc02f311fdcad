package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.runtime.memory.Array;
import java.util.Optional;

/**
 * Convolutions and their gradients as matrix products of windows, a bounded part of the windows at a time. 16-bit floats
 * are computed in float32, and integers in int64, which wraps to the same.
 */
final class Convolutions {
    private final Elementwise elementwise;
    private final Optional<OpenBlas> blas;

    Convolutions(Elementwise elementwise, Optional<OpenBlas> blas) {
        this.elementwise = elementwise;
        this.blas = blas;
    }

    void run(Convolution op, Array first, Array second, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = accumulator(result.dtype());
            Array target = dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
            Fills.fill(elementwise, Scalar.of(dtype, 0L), target);
            if (!first.shape().isEmpty() && !second.shape().isEmpty()) {
                Array left = elementwise.contiguous(first, dtype, scratch);
                Array right = elementwise.contiguous(second, dtype, scratch);
                accumulate(op, left, right, target);
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

    private void accumulate(Convolution op, Array first, Array second, Array result) {
        Multiplier multiplier = new Multiplier(result.dtype(), blas, elementwise);
        switch (op.fn()) {
            case FORWARD -> new ConvolutionRun(op, first, second, result, elementwise, multiplier).forward();
            case INPUT -> new ConvolutionRun(op, result, first, second, elementwise, multiplier).input();
            case WEIGHT -> new ConvolutionRun(op, first, result, second, elementwise, multiplier).weight();
        }
    }
}
