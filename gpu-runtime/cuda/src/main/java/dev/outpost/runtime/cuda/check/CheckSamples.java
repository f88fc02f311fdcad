package dev.outpost.runtime.cuda.check;

import java.util.Random;

/** Sample numbers, the same in every run. */
final class CheckSamples {
    private CheckSamples() {}

    /** Returns numbers in [-1, 1). */
    static float[] floats(int count, long seed) {
        Random random = new Random(seed);
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = 2 * random.nextFloat() - 1;
        }
        return numbers;
    }
}
