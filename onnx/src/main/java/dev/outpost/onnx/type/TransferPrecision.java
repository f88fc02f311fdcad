package dev.outpost.onnx.type;

/**
 * The precision of activations between stages. Weights and computations keep the model's precision. Inputs and outputs of the
 * model, and integers, are always sent unchanged.
 */
public enum TransferPrecision {
    /** Elements are sent unchanged: a divided model computes the same bits as the whole model. */
    EXACT(32, 0),

    /** Two bytes for each element. The error is at most 2⁻¹¹ of the element; elements beyond ±65504 are clamped. */
    FLOAT16(16, 0),

    /**
     * One byte for each element, and a scale and a zero point for each 64 elements: 8.5 bits. The error is at most 0.002 of
     * the difference between the largest and the smallest of the 64.
     */
    INT8(8.5, 255),

    /**
     * Half a byte for each element, and a scale and a zero point for each 64 elements: 4.5 bits. The error is at most 0.035
     * of the difference between the largest and the smallest of the 64.
     */
    INT4(4.5, 15);

    private final double bits;
    private final int levels;

    TransferPrecision(double bits, int levels) {
        this.bits = bits;
        this.levels = levels;
    }

    /** Returns the bits for each element of a large float32 tensor. */
    public double bits() {
        return bits;
    }

    /** Returns the largest code of an element; 0 if elements stay floats. */
    public int levels() {
        return levels;
    }

    /**
     * Returns the largest error of an element, relative to the difference between the largest and the smallest of its 64; 0
     * if elements stay floats.
     */
    public double groupError() {
        // The scale is rounded up to 8 bits, and zero may be between two codes.
        return levels == 0 ? 0 : 0.5 * (1 + 1.0 / 64) / (levels - 0.5);
    }
}
