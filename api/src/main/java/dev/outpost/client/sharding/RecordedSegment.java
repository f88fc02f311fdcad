package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.sharding.Sharding;
import java.util.List;
import java.util.Map;

/**
 * A segment as the program recorded it, before it is rewritten for members.
 *
 * @param signals by instruction, where it is computed, if it was recorded within a signal
 * @param inputs the names of what goes in
 * @param placed how that is placed
 * @param outputs the names of what comes out
 */
public record RecordedSegment(
        Graph graph, Map<Integer, SignalPlacement> signals, long[] inputs, List<Sharding> placed, long[] outputs) {}
