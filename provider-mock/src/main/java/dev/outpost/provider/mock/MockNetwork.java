package dev.outpost.provider.mock;

import java.time.Duration;

/**
 * How well frames travel. A connection's first exchange (hello, welcome, end) is spared loss, repetition and reordering,
 * as a network's own handshake sees to that; a cut spares nothing.
 *
 * @param latency the time of a frame from one side to the other
 * @param bytesPerSecond what a lane carries in one direction, 0 for no limit
 * @param loss the probability that a frame gets lost
 * @param repeat the probability that a frame comes twice
 * @param reorder the probability that a frame is overtaken by later ones
 * @param seed where the dice begin
 * @param cutAfter the connection breaks when so many frames have passed in either direction since the machine's start,
 *     once; 0 for never
 * @param cutEvery every connection breaks when so many frames have passed on it; 0 for never
 */
public record MockNetwork(
        Duration latency,
        long bytesPerSecond,
        double loss,
        double repeat,
        double reorder,
        long seed,
        long cutAfter,
        long cutEvery) {

    /** At once, without limit, and nothing goes wrong. */
    public static final MockNetwork PERFECT = new MockNetwork(Duration.ZERO, 0, 0, 0, 0, 0, 0, 0);

    public MockNetwork {
        requireProbability("loss", loss);
        requireProbability("repeat", repeat);
        requireProbability("reorder", reorder);
        if (latency.isNegative() || bytesPerSecond < 0 || cutAfter < 0 || cutEvery < 0) {
            throw new IllegalArgumentException("network: expected nothing negative, got latency " + latency
                    + ", bandwidth " + bytesPerSecond + ", cuts " + cutAfter + " and " + cutEvery);
        }
    }

    public MockNetwork withLatency(Duration oneWay) {
        return new MockNetwork(oneWay, bytesPerSecond, loss, repeat, reorder, seed, cutAfter, cutEvery);
    }

    public MockNetwork withBandwidth(long newBytesPerSecond) {
        return new MockNetwork(latency, newBytesPerSecond, loss, repeat, reorder, seed, cutAfter, cutEvery);
    }

    public MockNetwork withLoss(double probability) {
        return new MockNetwork(latency, bytesPerSecond, probability, repeat, reorder, seed, cutAfter, cutEvery);
    }

    public MockNetwork withRepeat(double probability) {
        return new MockNetwork(latency, bytesPerSecond, loss, probability, reorder, seed, cutAfter, cutEvery);
    }

    public MockNetwork withReorder(double probability) {
        return new MockNetwork(latency, bytesPerSecond, loss, repeat, probability, seed, cutAfter, cutEvery);
    }

    public MockNetwork withSeed(long newSeed) {
        return new MockNetwork(latency, bytesPerSecond, loss, repeat, reorder, newSeed, cutAfter, cutEvery);
    }

    public MockNetwork withCutAfter(long frames) {
        return new MockNetwork(latency, bytesPerSecond, loss, repeat, reorder, seed, frames, cutEvery);
    }

    public MockNetwork withCutEvery(long frames) {
        return new MockNetwork(latency, bytesPerSecond, loss, repeat, reorder, seed, cutAfter, frames);
    }

    boolean isReliable() {
        return loss == 0 && repeat == 0 && reorder == 0;
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw new IllegalArgumentException(name + ": expected a probability below 1, got " + value);
        }
    }
}
