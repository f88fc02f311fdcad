package dev.outpost.internal.graph;

import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Prints the autograd graph: one node per line, with its inputs indented below. A node that was printed before is referred to by its
 * number.
 */
public final class GraphPrinter {
    private static final int MAX_LINES = 10_000;

    private record Line(Node node, int depth) {}

    private GraphPrinter() {}

    public static String print(TensorState tensor) {
        Edge edge = States.gradientEdge(tensor);
        if (edge == null) {
            return "(no graph: nothing here requires gradients)";
        }
        StringBuilder text = new StringBuilder();
        Map<Node, Integer> numbers = new IdentityHashMap<>();
        Set<Integer> shown = new HashSet<>();
        ArrayDeque<Line> rest = new ArrayDeque<>();
        rest.push(new Line(edge.node(), 0));
        for (int lines = 0; !rest.isEmpty() && lines < MAX_LINES; lines++) {
            Line line = rest.pop();
            int number = numbers.computeIfAbsent(line.node, added -> numbers.size());
            boolean first = shown.add(number);
            append(text, line, number, first);
            if (first) {
                pushInputs(rest, line);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Line line, int number, boolean first) {
        text.append("  ".repeat(Math.min(line.depth, 40)))
                .append('#')
                .append(number)
                .append(' ');
        text.append(line.node.label()).append(first ? "" : " (above)").append('\n');
    }

    private static void pushInputs(ArrayDeque<Line> rest, Line line) {
        Edge[] edges = line.node.edges();
        for (int index = edges.length - 1; index >= 0; index--) {
            if (edges[index] != null) {
                rest.push(new Line(edges[index].node(), line.depth + 1));
            }
        }
    }
}
