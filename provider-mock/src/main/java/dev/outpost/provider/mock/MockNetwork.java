package dev.outpost.provider.mock;

import java.time.Duration;

/**
 * The quality of the network. A connection is reliable until it breaks.
 *
 * @param latency the time that a frame takes from one side to the other
 * @param bytesPerSecond the rate of a lane in one direction; 0 for no limit
 * @param cutAfter the number of frames since the machine's start, of both directions, after which the connection breaks once; 0 for
 *     never
 * @param cutEvery the number of frames after which every connection breaks; 0 for never
 */
public record MockNetwork(Duration latency, long bytesPerSecond, long cutAfter, long cutEvery) {

    /** No latency, no limit and no failures. */
    public static final MockNetwork PERFECT = new MockNetwork(Duration.ZERO, 0, 0, 0);

    public MockNetwork {
        if (latency.isNegative() || bytesPerSecond < 0 || cutAfter < 0 || cutEvery < 0) {
            throw new IllegalArgumentException("network: expected nothing negative, got latency " + latency
                    + ", bandwidth " + bytesPerSecond + ", cuts " + cutAfter + " and " + cutEvery);
        }
    }

    public MockNetwork withLatency(Duration oneWay) {
        return new MockNetwork(oneWay, bytesPerSecond, cutAfter, cutEvery);
    }

    public MockNetwork withBandwidth(long newBytesPerSecond) {
        return new MockNetwork(latency, newBytesPerSecond, cutAfter, cutEvery);
    }

    public MockNetwork withCutAfter(long frames) {
        return new MockNetwork(latency, bytesPerSecond, frames, cutEvery);
    }

    public MockNetwork withCutEvery(long frames) {
        return new MockNetwork(latency, bytesPerSecond, cutAfter, frames);
    }
}
