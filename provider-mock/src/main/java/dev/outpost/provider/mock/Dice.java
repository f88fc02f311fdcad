package dev.outpost.provider.mock;

import dev.outpost.channel.frame.Frame;
import java.util.SplittableRandom;

/** Decides what happens to each frame of a pipe; the same seed decides the same. Not thread-safe. */
final class Dice {

    /**
     * What becomes of a frame.
     *
     * @param copies how often it arrives
     * @param overtaken whether later ones arrive before it
     */
    record Fate(int copies, boolean overtaken) {}

    private static final Fate GOOD = new Fate(1, false);

    private final MockNetwork network;
    private final SplittableRandom random;

    Dice(MockNetwork network, long stream) {
        this.network = network;
        this.random = new SplittableRandom(network.seed() * 1_000_003 + stream);
    }

    Fate roll(byte[] frame) {
        if (network.isReliable() || isSpared(frame)) {
            return GOOD;
        }
        boolean lost = random.nextDouble() < network.loss();
        boolean repeated = random.nextDouble() < network.repeat();
        boolean overtaken = random.nextDouble() < network.reorder();
        return new Fate(lost ? 0 : repeated ? 2 : 1, overtaken);
    }

    private static boolean isSpared(byte[] frame) {
        return switch (Frame.decode(frame)) {
            case Frame.Data _, Frame.Ack _ -> false;
            case Frame.Hello _, Frame.Welcome _, Frame.End _ -> true;
        };
    }
}
