package dev.outpost.sharding;

/**
 * The format in which the machines of a group exchange large float32 sums: those of 1,024 elements or more that every
 * machine gets, such as gradients. Each term is rounded once on its way, and the sum once. All machines get the same
 * bits.
 */
public enum SumFormat {
    /** Float32, without rounding. */
    EXACT,
    /** Bfloat16: half the bytes. The error is at most 2^-8 of each magnitude. */
    BFLOAT16,
    /**
     * 8-bit integers with a scale for each 64 elements: 0.27 of the bytes. The error is at most 1/254 of the largest magnitude among the
     * 64.
     */
    INT8,
    /**
     * 4-bit integers with a scale for each 64 elements: 0.14 of the bytes. The error is at most 1/14 of the largest magnitude among the 64.
     */
    INT4
}
