package dev.outpost.bench.generate;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Measures the speed of this machine's memory with copies larger than the caches, on one thread for each processor. */
final class CopyRate {
    private static final int FLOATS = 16 << 20;
    private static final int ROUNDS = 5;

    private CopyRate() {}

    /** Returns the bytes read and written per second, the best of a few rounds. */
    static double measure() {
        int threads = Runtime.getRuntime().availableProcessors();
        float[][] from = new float[threads][FLOATS];
        float[][] to = new float[threads][FLOATS];
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            Thread[] copies = IntStream.range(0, threads)
                    .mapToObj(thread ->
                            Thread.ofPlatform().start(() -> System.arraycopy(from[thread], 0, to[thread], 0, FLOATS)))
                    .toArray(Thread[]::new);
            Arrays.stream(copies).forEach(CopyRate::join);
            best = Math.max(best, 2.0 * threads * FLOATS * Float.BYTES * 1e9 / (System.nanoTime() - begin));
        }
        return best;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
