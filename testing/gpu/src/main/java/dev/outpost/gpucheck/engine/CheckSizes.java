package dev.outpost.gpucheck.engine;

/**
 * The sizes of an engine's measurements.
 *
 * @param kernels the number of kernels that are compiled to measure compilation, at most 16
 * @param chainElements the number of elements of the float32 vector for a chain of ops
 * @param matrix the number of rows and columns of the multiplied matrices
 * @param heads the number of heads of attention
 * @param sequence the number of queries and of keys of attention
 */
public record CheckSizes(int kernels, int chainElements, int matrix, int heads, int sequence) {
    /** The sizes for a GPU. */
    public static final CheckSizes GPU = new CheckSizes(16, 64 << 20, 4096, 16, 4096);
}
