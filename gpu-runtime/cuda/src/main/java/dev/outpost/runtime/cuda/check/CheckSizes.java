package dev.outpost.runtime.cuda.check;

import java.time.Duration;

/**
 * How much is checked and measured.
 *
 * @param elementwiseStep from one elementwise case that is compared to the next: most have a kernel of their own
 * @param step likewise of the other families
 * @param familyTime how long the cases of a family may take; what is left then is left out
 * @param kernels how many are compiled to measure that, 16 at most
 * @param chainElements of the float32 vector that a chain of ops goes over
 * @param matrix rows and columns of matrices that are multiplied
 * @param heads of attention
 * @param sequence how many queries and keys attention has
 */
record CheckSizes(
        int elementwiseStep,
        int step,
        Duration familyTime,
        int kernels,
        int chainElements,
        int matrix,
        int heads,
        int sequence) {
    /** Of a GPU. */
    static final CheckSizes GPU = new CheckSizes(7, 1, Duration.ofSeconds(45), 16, 64 << 20, 4096, 16, 4096);

    /** The same, with so much of the time. */
    CheckSizes within(double share) {
        Duration time = Duration.ofMillis((long) (share * familyTime.toMillis()));
        return new CheckSizes(elementwiseStep, step, time, kernels, chainElements, matrix, heads, sequence);
    }
}
