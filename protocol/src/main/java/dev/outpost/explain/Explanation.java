package dev.outpost.explain;

import java.util.List;
import java.util.Map;

/**
 * The computation of a value: the part of its segment that leads to it, the fused instructions, the times at which memory is freed, the
 * generated code, and the time of each kernel. It can also explain a whole run of a program. Prints as text for people.
 *
 * @param value the name of the value; empty for a program
 * @param values all values that occur in the nodes
 * @param nodes the instructions that lead to the value, in the order in which they were recorded
 * @param kernels the kernels that compute them, in the order in which they run
 * @param memory the memory of the whole segment or program
 * @param segment the size of the whole segment or program
 */
public record Explanation(
        String value,
        List<ExplainedValue> values,
        List<ExplainedNode> nodes,
        List<ExplainedKernel> kernels,
        ExplainedMemory memory,
        SegmentSize segment) {

    /**
     * The size of a whole segment.
     *
     * @param instructions the number of recorded instructions
     * @param kernels the number of kernels that its plan launches
     * @param runs the number of times that this session has run the plan, timed or not
     * @param omitted the number of instructions that lead to the value but are left out, because there are too many
     */
    public record SegmentSize(int instructions, int kernels, long runs, int omitted) {}

    /** The maximum number of nodes. If there are more, only the nodes nearest to the value are listed. */
    public static final int MAX_NODES = 2048;

    /** The maximum length of the code of one kernel, in characters. */
    public static final int MAX_CODE = 16 << 10;

    /** The maximum length of the code of all kernels together, in characters. */
    public static final int MAX_ALL_CODE = 512 << 10;

    public Explanation {
        values = List.copyOf(values);
        nodes = List.copyOf(nodes);
        kernels = List.copyOf(kernels);
    }

    /** Returns the computation and lifetime of a value, by its name. */
    public ExplainedValue value(String name) {
        return values.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("explain: no value is called " + name));
    }

    /** Returns the explanation with other names for the values in the map. */
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
