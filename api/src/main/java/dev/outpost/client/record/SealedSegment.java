package dev.outpost.client.record;

import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.RecordedGraph;
import java.util.List;
import java.util.Map;

/**
 * A segment that nothing is added to any more. Its graph is valid while {@link SegmentSink#segment} runs; a sink that needs it longer
 * copies what it needs.
 *
 * @param graph the instructions, and the ids of the values that go in and come out
 * @param inputs the values that go in, by input index
 * @param signals by instruction, where it is computed, if it was recorded within a signal
 * @param lastingBytes the bytes of those of its results that were held to its end
 * @param times null if nothing is profiled
 */
public record SealedSegment(
        RecordedGraph graph,
        List<RemoteValue> inputs,
        Map<Integer, SignalPlacement> signals,
        long lastingBytes,
        SegmentTimes times) {}
