package dev.outpost.explain;

import java.util.List;
import java.util.Map;

/**
 * How a value was computed: the part of its segment that leads to it, what of it was fused, when memory goes back, the
 * generated code, and how long each kernel took. Or the same of a run of a program, all of which is told. Prints as text
 * for people.
 *
 * @param value the name of the value; empty where it is a program that is told of
 * @param values all that the nodes name
 * @param nodes the instructions that lead to the value, in the order in which they were recorded
 * @param kernels those that compute them, in the order in which they run
 * @param memory of the whole segment or program
 * @param segment how much there is of the whole segment or program
 */
public record Explanation(
        String value,
        List<ExplainedValue> values,
        List<ExplainedNode> nodes,
        List<ExplainedKernel> kernels,
        ExplainedMemory memory,
        SegmentSize segment) {

    /**
     * How much there is of a whole segment.
     *
     * @param instructions that were recorded
     * @param kernels that its plan launches
     * @param runs how often this session has run the plan, the timed runs and the others
     * @param omitted instructions that lead to the value and are too many to be told
     */
    public record SegmentSize(int instructions, int kernels, long runs, int omitted) {}

    /** Fewer are told where there are more: the ones that are nearest to the value. */
    public static final int MAX_NODES = 2048;

    /** The longest code of one kernel, in characters. */
    public static final int MAX_CODE = 16 << 10;

    /** The longest code of all of them together, in characters. */
    public static final int MAX_ALL_CODE = 512 << 10;

    public Explanation {
        values = List.copyOf(values);
        nodes = List.copyOf(nodes);
        kernels = List.copyOf(kernels);
    }

    /** How the value of that name is computed and how long it lives. */
    public ExplainedValue value(String name) {
        return values.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("explain: no value is called " + name));
    }

    /** The same where values have other names: each that the map knows. */
    public Explanation renamed(Map<String, String> names) {
        return new Explanation(
                names.getOrDefault(value, value),
                values.stream()
                        .map(each -> each.named(names.getOrDefault(each.name(), each.name())))
                        .toList(),
                nodes.stream().map(node -> node.renamed(names)).toList(),
                kernels,
                memory,
                segment);
    }

    @Override
    public String toString() {
        return ExplanationText.of(this);
    }
}
