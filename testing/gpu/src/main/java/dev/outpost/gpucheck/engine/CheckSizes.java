package dev.outpost.gpucheck.engine;

/**
 * How much is measured of an engine.
 *
 * @param kernels how many are compiled to measure that, 16 at most
 * @param chainElements of the float32 vector that a chain of ops goes over
 * @param matrix rows and columns of matrices that are multiplied
 * @param heads of attention
 * @param sequence how many queries and keys attention has
 */
public record CheckSizes(int kernels, int chainElements, int matrix, int heads, int sequence) {
    /** Of a GPU. */
    public static final CheckSizes GPU = new CheckSizes(16, 64 << 20, 4096, 16, 4096);
}
