package dev.outpost.protocol;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Runs a test body over many seeds; a failure names the seed that shows it. */
public final class Trials {
    private Trials() {}

    @FunctionalInterface
    public interface Body {
        void run(RandomGenerator random);
    }

    public static void repeat(int count, long firstSeed, Body body) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            once(seed, body);
        }
    }

    public static void once(long seed, Body body) {
        try {
            body.run(new SplittableRandom(seed));
        } catch (RuntimeException | Error failure) {
            throw new AssertionError("with seed " + seed + ": " + failure, failure);
        }
    }
}
