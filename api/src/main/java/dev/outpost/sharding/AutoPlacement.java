package dev.outpost.sharding;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A proposal of how a model is placed on a group. Immutable.
 *
 * @param isBatchCut whether data are cut along their first dimension
 * @param parameters how each is placed, by name
 * @param seconds that a step takes then, by the costs
 * @param bytes that parameters, gradients and two moments of an optimizer take on the fullest member
 * @param costs as they were measured
 * @param alternatives the seconds of placements that are well known, by name
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

    /** The proposal and why, for people. */
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
