package dev.outpost.client.waits;

import dev.outpost.channel.frame.ProtocolVersions;
import java.time.Duration;

/**
 * The client's own limits.
 *
 * @param maxSegmentInstructions the number of instructions at which an open segment is sealed. If a scope is open at this time, all its
 *     live intermediates are stored, so the training step of a model of some size should fit
 * @param maxSegmentsInFlight the number of sealed segments that the machine has not executed yet at which recording blocks
 * @param maxQueuedBytes the bytes of sealed segments that wait to be sent at which recording blocks
 * @param highWaterBytes the bytes of held values above which the client searches for collected handles
 * @param connectTimeout the longest time of one attempt to connect
 * @param closeTimeout the longest wait of closing for the machine's last message
 * @param lossTimeout the longest wait of a session whose machine is gone for the provider's reason
 * @param readLimit the longest wait without progress: no bytes of a read, and no executed segment
 * @param traces true if instructions carry the line of the program that recorded them
 * @param eager true if each instruction is a segment whose end the program waits for
 * @param versions the versions and features of the protocol that the client speaks
 */
public record SessionSettings(
        int maxSegmentInstructions,
        int maxSegmentsInFlight,
        long maxQueuedBytes,
        long highWaterBytes,
        Duration connectTimeout,
        Duration closeTimeout,
        Duration lossTimeout,
        Duration readLimit,
        boolean traces,
        boolean eager,
        ProtocolVersions versions) {

    public static final SessionSettings DEFAULT = new SessionSettings(
            4096,
            256,
            64L << 20,
            256L << 20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofHours(1),
            false,
            false,
            ProtocolVersions.CURRENT);

    public SessionSettings {
        if (lossTimeout.isNegative()) {
            throw new IllegalArgumentException("lossTimeout: expected nothing negative, got " + lossTimeout);
        }
        if (!connectTimeout.isPositive()) {
            throw new IllegalArgumentException("connectTimeout: expected a time above zero, got " + connectTimeout);
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("closeLimit: expected nothing negative, got " + closeTimeout);
        }
        if (!readLimit.isPositive()) {
            throw new IllegalArgumentException("readLimit: expected a time above zero, got " + readLimit);
        }
    }

    /** Returns true if the mark may rise to save collections, because the user has not set it. */
    public boolean leavesRoom() {
        return highWaterBytes == DEFAULT.highWaterBytes;
    }

    public SessionSettings withTraces(boolean enabled) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                closeTimeout,
                lossTimeout,
                readLimit,
                enabled,
                eager,
                versions);
    }

    public SessionSettings withEager(boolean enabled) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                closeTimeout,
                lossTimeout,
                readLimit,
                traces,
                enabled,
                versions);
    }

    public SessionSettings withHighWaterBytes(long bytes) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                bytes,
                connectTimeout,
                closeTimeout,
                lossTimeout,
                readLimit,
                traces,
                eager,
                versions);
    }

    public SessionSettings withLossTimeout(Duration timeout) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                closeTimeout,
                timeout,
                readLimit,
                traces,
                eager,
                versions);
    }

    public SessionSettings withCloseTimeout(Duration limit) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                limit,
                lossTimeout,
                readLimit,
                traces,
                eager,
                versions);
    }

    public SessionSettings withConnectTimeout(Duration limit) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                limit,
                closeTimeout,
                lossTimeout,
                readLimit,
                traces,
                eager,
                versions);
    }

    public SessionSettings withReadLimit(Duration limit) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                closeTimeout,
                lossTimeout,
                limit,
                traces,
                eager,
                versions);
    }

    public SessionSettings withDialect(ProtocolVersions versions) {
        return new SessionSettings(
                maxSegmentInstructions,
                maxSegmentsInFlight,
                maxQueuedBytes,
                highWaterBytes,
                connectTimeout,
                closeTimeout,
                lossTimeout,
                readLimit,
                traces,
                eager,
                versions);
    }
}
