package dev.outpost.client.record;

import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.RecordedGraph;
import java.util.List;
import java.util.Map;

/**
 * A complete segment. Its graph is valid while {@link SegmentSink#segment} runs; a sink that needs it longer copies what it needs.
 *
 * @param graph the instructions, and the ids of its inputs and results
 * @param inputs the input values, by input index
 * @param signals the placement of each instruction that was recorded within a signal, by instruction
 * @param lastingBytes the bytes of the results that were still held when it was sealed
 * @param times null if nothing is profiled
 */
public record SealedSegment(
        RecordedGraph graph,
        List<RemoteValue> inputs,
        Map<Integer, SignalPlacement> signals,
        long lastingBytes,
        SegmentTimes times) {}
