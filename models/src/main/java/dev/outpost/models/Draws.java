package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.SplittableRandom;

/** Numbers from 0 to 1, by which tokens are drawn. They come from the client, so that engines draw the same. */
final class Draws {
    private Draws() {}

    /** {@code [count]}, float32. */
    static Tensor of(RemoteMachine machine, SplittableRandom random, int count) {
        float[] drawn = new float[count];
        for (int text = 0; text < count; text++) {
            drawn[text] = one(random);
        }
        return machine.tensor(drawn, count);
    }

    /** 24 bits, so that it is below 1 as a float, too. */
    static float one(SplittableRandom random) {
        return (random.nextInt() >>> 8) * 0x1p-24f;
    }
}
