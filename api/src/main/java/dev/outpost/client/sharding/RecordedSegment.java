package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.sharding.Sharding;
import java.util.List;
import java.util.Map;

/**
 * A segment as the program recorded it, before it is rewritten for members.
 *
 * @param signals the placement of each instruction that was recorded within a signal, by instruction
 * @param inputs the ids of the inputs
 * @param placed the placements of the inputs
 * @param outputs the ids of the outputs
 */
public record RecordedSegment(
        Graph graph, Map<Integer, SignalPlacement> signals, long[] inputs, List<Sharding> placed, long[] outputs) {}
