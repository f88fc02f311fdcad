package dev.outpost.client.waits;

import dev.outpost.channel.frame.ProtocolVersions;
import java.time.Duration;

/**
 * The client's own bounds.
 *
 * @param maxSegmentInstructions an open segment that grows to this is sealed; within a scope that stores every intermediate
 *     that is alive there, so the training step of a model of some size should fit
 * @param maxSegmentsInFlight sealed segments that the machine has not executed yet; at the bound recording blocks
 * @param maxQueuedBytes bytes of sealed segments that wait to be sent; at the bound recording blocks
 * @param highWaterBytes bytes of values that the program holds before collected handles are looked for
 * @param connectTimeout how long one attempt at a connection may take
 * @param closeTimeout how long closing waits for the machine's last word
 * @param lossTimeout how long a session whose machine is gone waits for the provider to say why
 * @param readLimit how long the program waits while nothing brings it nearer: no bytes of a read, and no segment done
 * @param traces whether instructions carry the line of the program that recorded them
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

    /** Whether the mark may rise for the collector's sake: nobody has said what it is to be. */
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
                versions);
    }
}
