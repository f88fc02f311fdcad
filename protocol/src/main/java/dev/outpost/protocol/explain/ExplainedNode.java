package dev.outpost.protocol.explain;

import java.util.List;

/**
 * A recorded instruction.
 *
 * @param index its place in the segment
 * @param op its name and what else it says, such as {@code sum} or {@code Reduce[...]}
 * @param operands names of values, and numbers that stand in the instruction
 * @param results names of values
 * @param source the line of the program that recorded it; empty unless the machine was asked to trace
 */
public record ExplainedNode(int index, String op, List<String> operands, List<String> results, String source) {
    public ExplainedNode {
        operands = List.copyOf(operands);
        results = List.copyOf(results);
    }
}
