package dev.outpost.sharding;

/**
 * How large float32 sums of a group travel between its machines: sums of 1,024 elements or more that every machine gets, such as gradients.
 * Each term is rounded once on its way, and the sum once. All machines have the same bits.
 */
public enum SumFormat {
    /** As they are. */
    EXACT,
    /** To bfloat16: half the bytes; by at most 2^-8 of each magnitude. */
    BFLOAT16,
    /** To 8-bit integers with a scale for 64 elements: 0.27 of the bytes; by at most 1/254 of the largest magnitude among them. */
    INT8,
    /** To 4-bit integers with a scale for 64 elements: 0.14 of the bytes; by at most 1/14 of the largest magnitude among them. */
    INT4
}
