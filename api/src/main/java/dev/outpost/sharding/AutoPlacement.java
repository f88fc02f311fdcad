package dev.outpost.sharding;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A proposal for the placement of a model on a group. Immutable.
 *
 * @param isBatchCut true if data are cut along their first dimension
 * @param parameters the placement of each parameter, by name
 * @param seconds the estimated time of a step
 * @param bytes the bytes that parameters, gradients and two moments of an optimizer take on the member with the most
 * @param costs the measured costs
 * @param alternatives the estimated seconds of well-known placements, by name
 */
public record AutoPlacement(
        boolean isBatchCut,
        SequencedMap<String, Sharding> parameters,
        double seconds,
        long bytes,
        GroupCosts costs,
        Map<String, Double> alternatives) {

    public AutoPlacement {
        parameters = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(parameters));
        alternatives = Map.copyOf(alternatives);
    }

    /** Returns a text with the proposal and its reasons. */
    @Override
    public String toString() {
        String placed = parameters.entrySet().stream()
                .map(each -> "  " + each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("\n"));
        String others = new TreeMap<>(alternatives)
                .entrySet().stream()
                        .map(each -> "  %s: %.3f ms".formatted(each.getKey(), each.getValue() * 1e3))
                        .collect(Collectors.joining("\n"));
        return "a step takes %.3f ms and %d bytes on a member\n  data: %s\n%s\ninstead of\n%s\nby %s"
                .formatted(seconds * 1e3, bytes, isBatchCut ? "cut by rows" : "whole", placed, others, costs);
    }
}
