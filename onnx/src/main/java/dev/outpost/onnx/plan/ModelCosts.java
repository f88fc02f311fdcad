package dev.outpost.onnx.plan;

import dev.outpost.onnx.graph.GraphIndex;
import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.proto.AttributeProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of each node of a model for given shapes of the inputs: operations by textbook formulas, and bytes of
 * weights and activations. Values of unknown types are ignored. Immutable.
 */
public final class ModelCosts {
    /** The approximate operations per element of functions such as an exponential. */
    private static final double OPERATIONS_OF_A_FUNCTION = 8;

    private final GraphIndex graph;
    private final Map<String, TensorType> types;
    private final List<NodeCost> nodes = new ArrayList<>();
    private final long[] bytesAtCuts;
    /** For each node, the bytes of each weight that it reads, with the previous node that reads it (-1 for none). */
    private final List<List<long[]>> weightsOf = new ArrayList<>();
    /** For each node, the bytes of the values that are alive while it runs, without weights. */
    private final long[] activations;

    public ModelCosts(GraphIndex graph, Map<String, TensorType> types, StageCutter cutter) {
        this.graph = graph;
        this.types = types;
        this.bytesAtCuts = cutter.bytesAtCuts();
        this.activations = new long[graph.size()];
        Map<String, Integer> readBefore = new HashMap<>();
        for (int node = 0; node < graph.size(); node++) {
            nodes.add(cost(node));
            weightsOf.add(weights(node, readBefore));
            activations[node] = Math.max(0, bytesAtCuts[node]) + made(node);
        }
    }

    private List<long[]> weights(int node, Map<String, Integer> readBefore) {
        List<long[]> weights = new ArrayList<>();
        for (String value : graph.reads(node)) {
            TensorProto weight = graph.weights().get(value);
            if (weight != null) {
                long bytes = OnnxTypes.type(weight).map(TensorType::bytes).orElse((long) weight.getSerializedSize());
                Integer before = readBefore.put(value, node);
                weights.add(new long[] {bytes, before == null ? -1 : before});
            }
        }
        // A constant within a node is also a weight.
        for (AttributeProto attribute : graph.nodes().get(node).getAttributeList()) {
            if (attribute.hasT()) {
                weights.add(new long[] {attribute.getT().getSerializedSize(), -1});
            }
        }
        return weights;
    }

    private long made(int node) {
        return graph.nodes().get(node).getOutputList().stream()
                .map(types::get)
                .filter(java.util.Objects::nonNull)
                .mapToLong(TensorType::bytes)
                .sum();
    }

    private NodeCost cost(int number) {
        NodeProto node = graph.nodes().get(number);
        double bytes = made(number);
        for (String value : graph.reads(number)) {
            bytes += bytes(value);
        }
        return new NodeCost(operations(node), bytes);
    }

    private double bytes(String value) {
        TensorType type = types.get(value);
        return type == null ? 0 : type.bytes();
    }

    private double operations(NodeProto node) {
        double elements = node.getOutputCount() == 0 ? 0 : elements(node.getOutput(0));
        return switch (node.getOpType()) {
            case "MatMul", "MatMulInteger", "QLinearMatMul" -> 2 * elements * inner(node, 0, 1);
            case "Gemm" -> 2 * elements * inner(node, 0, isSet(node, "transA") ? 2 : 1);
            case "Conv", "ConvInteger" -> 2 * elements * window(node, 1);
            case "QLinearConv" -> 2 * elements * window(node, 3);
            case "ConvTranspose" -> 2 * elements(node.getInput(0)) * perChannel(node);
            case "LSTM", "GRU", "RNN" -> 2 * recurrent(node);
            case "Reshape", "Identity", "Squeeze", "Unsqueeze", "Flatten", "Shape", "Constant", "Cast" -> 0;
            case "Exp",
                    "Log",
                    "Tanh",
                    "Sigmoid",
                    "Erf",
                    "Gelu",
                    "Softmax",
                    "LogSoftmax",
                    "Pow",
                    "Sin",
                    "Cos",
                    "LayerNormalization" -> OPERATIONS_OF_A_FUNCTION * elements;
            default -> Math.max(elements, node.getInputCount() == 0 ? 0 : elements(node.getInput(0)));
        };
    }

    private double elements(String value) {
        TensorType type = types.get(value);
        return type == null ? 0 : type.shape().elements();
    }

    /** Returns a size of an operand, counted from the last dimension. */
    private double inner(NodeProto node, int place, int fromEnd) {
        TensorType type = types.get(node.getInput(place));
        return type == null || type.shape().rank() < fromEnd
                ? 0
                : type.shape().size(type.shape().rank() - fromEnd);
    }

    private double window(NodeProto node, int place) {
        TensorType weight = types.get(node.getInput(place));
        return weight == null || weight.shape().isEmpty()
                ? 0
                : (double) weight.shape().elements() / weight.shape().size(0);
    }

    private double perChannel(NodeProto node) {
        TensorType weight = types.get(node.getInput(1));
        return weight == null || weight.shape().isEmpty()
                ? 0
                : (double) weight.shape().elements() / weight.shape().size(0);
    }

    private double recurrent(NodeProto node) {
        TensorType input = types.get(node.getInput(0));
        if (input == null || input.shape().rank() != 3) {
            return 0;
        }
        Shape shape = input.shape();
        return shape.size(0) * (double) shape.size(1) * (elements(node.getInput(1)) + elements(node.getInput(2)));
    }

    private static boolean isSet(NodeProto node, String attribute) {
        return node.getAttributeList().stream().anyMatch(each -> each.getName().equals(attribute) && each.getI() != 0);
    }

    // ----

    /** Returns the number of nodes. */
    public int size() {
        return nodes.size();
    }

    public NodeCost node(int node) {
        return nodes.get(node);
    }

    /** Returns the number of bytes that cross a cut; see {@link StageCutter#bytesAtCuts}. */
    public long bytesAtCut(int cut) {
        return bytesAtCuts[cut];
    }

    /** True if all values that cross a cut have known types. */
    public boolean canCut(int cut) {
        return bytesAtCuts[cut] >= 0;
    }

    /** Returns the total cost of the nodes of a stage. */
    public NodeCost cost(int first, int end) {
        NodeCost sum = new NodeCost(0, 0);
        for (int node = first; node < end; node++) {
            sum = sum.plus(nodes.get(node));
        }
        return sum;
    }

    /** Returns the number of bytes of the weights that the nodes of a stage read, each counted once. */
    public long weightBytes(int first, int end) {
        long bytes = 0;
        for (int node = first; node < end; node++) {
            for (long[] weight : weightsOf.get(node)) {
                bytes += weight[1] < first ? weight[0] : 0;
            }
        }
        return bytes;
    }

    /** Returns the maximum number of bytes that are alive at once in a stage, without weights. */
    public long activationBytes(int first, int end) {
        long max = 0;
        for (int node = first; node < end; node++) {
            max = Math.max(max, activations[node]);
        }
        return max;
    }
}
