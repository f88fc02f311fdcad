package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.protocol.op.QuantizedMatmul;

/** Products with quantized weights, with the parameters of the primitive. */
public final class QuantizedPrimitives {
    private QuantizedPrimitives() {}

    /**
     * Computes {@code x · weightᵀ} with weights {@code (code − zero) · scale}; see the primitive. A gradient flows
     * only to {@code x}.
     *
     * @param x {@code [rows, inputs]}, float32, float16 or bfloat16
     * @param codes {@code [outputs, inputs · bits / 8]}, uint8; if a byte holds two codes, the first is in the lower half
     * @param scales {@code [outputs, inputs / group]}
     * @param zeros {@code [outputs, inputs / group]}, uint8
     * @return {@code [rows, outputs]}
     */
    public static Tensor matmul(Tensor x, Tensor codes, Tensor scales, Tensor zeros, int bits, int group) {
        return Dispatch.apply(new QuantizedMatmul(bits, group), x, codes, scales, zeros);
    }
}
