package dev.outpost.client.record;

import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.tape.SegmentWriter;
import java.util.List;
import java.util.Map;

/**
 * A segment that nothing is added to any more.
 *
 * @param inputs the values that go in, by input index
 * @param signals by instruction, where it is computed, if it was recorded within a signal
 * @param lastingBytes the bytes of those of its results that were held to its end
 * @param times null if nothing is profiled
 */
public record SealedSegment(
        SegmentWriter writer,
        List<RemoteValue> inputs,
        Map<Integer, SignalPlacement> signals,
        long lastingBytes,
        SegmentTimes times) {}
