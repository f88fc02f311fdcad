package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.AttributeProto;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.onnx.type.OnnxException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph in an order in which it can be computed, with the makers and readers of each value. Fails if a value is
 * made twice, or if a value is read but never made. Immutable.
 *
 * @param nodes the nodes in the order in which they are computed
 * @param reads the values that each node reads, including those that its subgraphs read
 * @param inputs the inputs that are not weights, in their order
 * @param makers the node that makes each value
 */
public record GraphIndex(
        List<NodeProto> nodes,
        List<Set<String>> reads,
        Map<String, TensorProto> weights,
        Map<String, ValueInfoProto> inputs,
        List<String> outputs,
        Map<String, Integer> makers) {
    public static GraphIndex of(GraphProto graph) {
        Map<String, TensorProto> weights = new LinkedHashMap<>();
        for (TensorProto weight : graph.getInitializerList()) {
            if (weights.put(weight.getName(), weight) != null) {
                throw new OnnxException("the weight " + weight.getName() + " occurs twice");
            }
        }
        Map<String, ValueInfoProto> inputs = new LinkedHashMap<>();
        for (ValueInfoProto input : graph.getInputList()) {
            // In older versions of the format, weights are also inputs.
            if (!weights.containsKey(input.getName()) && inputs.put(input.getName(), input) != null) {
                throw new OnnxException("the input " + input.getName() + " occurs twice");
            }
        }
        List<String> outputs =
                graph.getOutputList().stream().map(ValueInfoProto::getName).toList();
        if (outputs.isEmpty()) {
            throw new OnnxException("the graph has no outputs");
        }
        return sorted(graph.getNodeList(), weights, inputs, outputs);
    }

    private static GraphIndex sorted(
            List<NodeProto> given,
            Map<String, TensorProto> weights,
            Map<String, ValueInfoProto> inputs,
            List<String> outputs) {
        Map<String, Integer> makerOf = makers(given, weights, inputs);
        List<Set<String>> readBy = new ArrayList<>();
        int[] waitsFor = new int[given.size()];
        List<List<Integer>> readers = new ArrayList<>();
        given.forEach(node -> readers.add(new ArrayList<>()));
        for (int number = 0; number < given.size(); number++) {
            Set<String> reads = reads(given.get(number));
            readBy.add(reads);
            for (String value : reads) {
                Integer maker = makerOf.get(value);
                if (maker != null) {
                    readers.get(maker).add(number);
                    waitsFor[number]++;
                } else if (!weights.containsKey(value) && !inputs.containsKey(value)) {
                    throw new OnnxException("the node " + name(given.get(number), number) + " reads " + value
                            + ", which no node computes");
                }
            }
        }
        for (String output : outputs) {
            if (!makerOf.containsKey(output) && !weights.containsKey(output) && !inputs.containsKey(output)) {
                throw new OnnxException("no node computes the output " + output);
            }
        }
        return inOrder(given, readBy, waitsFor, readers, weights, inputs, outputs);
    }

    private static Map<String, Integer> makers(
            List<NodeProto> given, Map<String, TensorProto> weights, Map<String, ValueInfoProto> inputs) {
        Map<String, Integer> makers = new HashMap<>();
        for (int number = 0; number < given.size(); number++) {
            for (String value : given.get(number).getOutputList()) {
                boolean isMade = !value.isEmpty()
                        && (makers.put(value, number) != null
                                || weights.containsKey(value)
                                || inputs.containsKey(value));
                if (isMade) {
                    throw new OnnxException("the value " + value + " is computed twice");
                }
            }
        }
        return makers;
    }

    /** Sorts nodes topologically. Keeps their order if it is valid; of several possible next nodes, takes the first. */
    private static GraphIndex inOrder(
            List<NodeProto> given,
            List<Set<String>> readBy,
            int[] waitsFor,
            List<List<Integer>> readers,
            Map<String, TensorProto> weights,
            Map<String, ValueInfoProto> inputs,
            List<String> outputs) {
        List<NodeProto> nodes = new ArrayList<>();
        List<Set<String>> reads = new ArrayList<>();
        java.util.PriorityQueue<Integer> ready = new java.util.PriorityQueue<>();
        for (int number = 0; number < waitsFor.length; number++) {
            if (waitsFor[number] == 0) {
                ready.add(number);
            }
        }
        while (!ready.isEmpty()) {
            int next = ready.remove();
            nodes.add(given.get(next));
            reads.add(readBy.get(next));
            for (int reader : readers.get(next)) {
                if (--waitsFor[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        if (nodes.size() < given.size()) {
            throw new OnnxException("the graph has a cycle");
        }
        Map<String, Integer> makers = new HashMap<>();
        for (int number = 0; number < nodes.size(); number++) {
            for (String value : nodes.get(number).getOutputList()) {
                makers.put(value, number);
            }
        }
        makers.remove("");
        return new GraphIndex(nodes, reads, weights, inputs, outputs, makers);
    }

    /** Returns the values that a node reads, including those that its subgraphs read from the outside. */
    private static Set<String> reads(NodeProto node) {
        Set<String> reads = new LinkedHashSet<>(node.getInputList());
        Deque<GraphProto> within = new ArrayDeque<>(graphs(node));
        while (!within.isEmpty()) {
            GraphProto graph = within.remove();
            reads.addAll(outerReads(graph));
        }
        reads.remove("");
        return reads;
    }

    private static Set<String> outerReads(GraphProto graph) {
        Set<String> reads = new LinkedHashSet<>();
        Set<String> own = new LinkedHashSet<>();
        graph.getInputList().forEach(input -> own.add(input.getName()));
        graph.getInitializerList().forEach(weight -> own.add(weight.getName()));
        for (NodeProto node : graph.getNodeList()) {
            reads.addAll(node.getInputList());
            graphs(node).forEach(inner -> reads.addAll(outerReads(inner)));
            own.addAll(node.getOutputList());
        }
        graph.getOutputList().forEach(output -> reads.add(output.getName()));
        reads.removeAll(own);
        return reads;
    }

    private static List<GraphProto> graphs(NodeProto node) {
        List<GraphProto> graphs = new ArrayList<>();
        for (AttributeProto attribute : node.getAttributeList()) {
            if (attribute.hasG()) {
                graphs.add(attribute.getG());
            }
            graphs.addAll(attribute.getGraphsList());
        }
        return graphs;
    }

    static String name(NodeProto node, int number) {
        return node.getName().isEmpty() ? node.getOpType() + " " + number : node.getName();
    }

    // ----

    public int size() {
        return nodes.size();
    }

    /** Returns the values that a node reads: inputs, weights and results of other nodes. */
    public Set<String> reads(int node) {
        return reads.get(node);
    }

    /** Returns the name of a node in error messages. */
    public String name(int node) {
        return name(nodes.get(node), node);
    }

    /** Returns the node that makes a value, or -1 for an input or a weight. */
    public int maker(String value) {
        return makers.getOrDefault(value, -1);
    }
}
