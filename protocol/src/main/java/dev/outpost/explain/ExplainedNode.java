package dev.outpost.explain;

import java.util.List;
import java.util.Map;

/**
 * A recorded instruction.
 *
 * @param index its index in the segment
 * @param op its name and attributes, such as {@code sum} or {@code Reduce[...]}
 * @param operands names of values, and numbers that are part of the instruction
 * @param results names of values
 * @param source the line of the program that recorded it; empty unless the machine was asked to trace
 */
public record ExplainedNode(int index, String op, List<String> operands, List<String> results, String source) {
    public ExplainedNode {
        operands = List.copyOf(operands);
        results = List.copyOf(results);
    }

    ExplainedNode renamed(Map<String, String> names) {
        return new ExplainedNode(index, op, renamed(operands, names), renamed(results, names), source);
    }

    private static List<String> renamed(List<String> values, Map<String, String> names) {
        return values.stream().map(value -> names.getOrDefault(value, value)).toList();
    }
}
