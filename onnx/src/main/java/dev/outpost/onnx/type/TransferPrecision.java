package dev.outpost.onnx.type;

/**
 * How activations travel between stages. Weights and computations stay as they are in the model, inputs and outputs of the model
 * travel as they are, and so do integers.
 */
public enum TransferPrecision {
    /** Each element as it is: a model that is cut computes the bits that the whole one does. */
    EXACT(32, 0),

    /** Two bytes an element. The error is at most 2⁻¹¹ of the element; beyond ±65504 it is that much. */
    FLOAT16(16, 0),

    /**
     * One byte an element, and for each 64 elements a scale and a zero point: 8.5 bits. The error is at most 0.002 of the
     * difference between the largest and the smallest of the 64.
     */
    INT8(8.5, 255),

    /**
     * Half a byte an element, and for each 64 elements a scale and a zero point: 4.5 bits. The error is at most 0.035 of the
     * difference between the largest and the smallest of the 64.
     */
    INT4(4.5, 15);

    private final double bits;
    private final int levels;

    TransferPrecision(double bits, int levels) {
        this.bits = bits;
        this.levels = levels;
    }

    /** Bits for an element of float32, where there are many. */
    public double bits() {
        return bits;
    }

    /** The largest number that an element is made; 0 where elements stay floats. */
    public int levels() {
        return levels;
    }

    /**
     * The largest error of an element, in relation to the difference between the largest and the smallest of its 64; 0 where
     * elements stay floats.
     */
    public double groupError() {
        // The scale is rounded up to 8 bits, and zero may lie between two numbers.
        return levels == 0 ? 0 : 0.5 * (1 + 1.0 / 64) / (levels - 0.5);
    }
}
