package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.StringStringEntryProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorProto.DataLocation;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Cuts a graph between nodes. Only tensors of known types may cross a cut. Immutable. */
public final class StageCutter {
    /** The minimum size, in bytes, of a weight that is sent separately from the model. */
    private static final long LARGE_WEIGHT = 1 << 16;

    private final OnnxFile file;
    private final GraphIndex graph;
    private final Map<String, TensorType> types;
    /** For each value, the last node that reads it; for an output of the model, the number of nodes. */
    private final Map<String, Integer> lastReader = new HashMap<>();

    public StageCutter(OnnxFile file, GraphIndex graph, Map<String, TensorType> types) {
        this.file = file;
        this.graph = graph;
        this.types = types;
        for (int node = 0; node < graph.size(); node++) {
            for (String value : graph.reads(node)) {
                if (!graph.weights().containsKey(value)) {
                    lastReader.put(value, node);
                }
            }
        }
        graph.outputs().forEach(output -> lastReader.put(output, graph.size()));
    }

    /**
     * Returns the number of bytes that cross each cut, from 0 to the number of nodes; -1 if a value of unknown type
     * crosses it. The inputs cross the first cut, and the outputs the last.
     */
    public long[] bytesAtCuts() {
        int cuts = graph.size() + 1;
        long[] change = new long[cuts + 1];
        BitSet unknown = new BitSet();
        lastReader.forEach((value, last) -> {
            int from = graph.maker(value) + 1;
            int to = Math.min(last, graph.size());
            if (graph.weights().containsKey(value) || from > to) {
                return;
            }
            TensorType type = types.get(value);
            if (type == null) {
                unknown.set(from, to + 1);
            } else {
                change[from] += type.bytes();
                change[to + 1] -= type.bytes();
            }
        });
        long[] bytes = new long[cuts];
        long sum = 0;
        for (int cut = 0; cut < cuts; cut++) {
            sum += change[cut];
            bytes[cut] = unknown.get(cut) && cut > 0 && cut < graph.size() ? -1 : sum;
        }
        return bytes;
    }

    /** Returns the nodes from {@code first}, inclusive, to {@code end}, exclusive, as a separate model. */
    public Stage stage(int first, int end) {
        Set<String> made = new HashSet<>();
        Set<String> inputs = new LinkedHashSet<>();
        Map<String, TensorProto> weights = new LinkedHashMap<>();
        for (int node = first; node < end; node++) {
            for (String value : graph.reads(node)) {
                if (graph.weights().containsKey(value)) {
                    weights.put(value, graph.weights().get(value));
                } else if (!made.contains(value)) {
                    inputs.add(value);
                }
            }
            made.addAll(graph.nodes().get(node).getOutputList());
        }
        List<String> outputs = new ArrayList<>();
        for (int node = first; node < end; node++) {
            for (String value : graph.nodes().get(node).getOutputList()) {
                if (lastReader.getOrDefault(value, -1) >= end) {
                    outputs.add(value);
                }
            }
        }
        return build(first, end, List.copyOf(inputs), outputs, weights);
    }

    private Stage build(
            int first, int end, List<String> inputs, List<String> outputs, Map<String, TensorProto> weights) {
        ModelProto whole = file.model();
        GraphProto.Builder part = GraphProto.newBuilder()
                .setName(whole.getGraph().getName() + "[" + first + "," + end + ")")
                .addAllNode(graph.nodes().subList(first, end));
        inputs.forEach(input -> part.addInput(declare(input)));
        outputs.forEach(output -> part.addOutput(declare(output)));
        Map<String, TensorProto> large = new LinkedHashMap<>();
        weights.forEach((name, weight) -> {
            boolean isApart = OnnxTypes.type(weight)
                    .map(type -> type.bytes() >= LARGE_WEIGHT || OnnxFile.isExternal(weight))
                    .orElse(false);
            part.addInitializer(isApart ? outside(weight) : weight);
            if (isApart) {
                large.put(name, weight);
            }
        });
        byte[] bytes = whole.toBuilder().setGraph(part).build().toByteArray();
        return new Stage(first, end, bytes, large, inputs, outputs);
    }

    /** Declares only the dtype of a value that crosses a cut: its sizes may differ in each call. */
    private ValueInfoProto declare(String value) {
        ValueInfoProto given = graph.inputs().get(value);
        if (given != null) {
            return given;
        }
        TensorType type = types.get(value);
        if (type == null) {
            NodeProto maker = graph.nodes().get(Math.max(0, graph.maker(value)));
            throw new OnnxException("the type of " + value + ", which " + maker.getOpType()
                    + " makes, is not known before it is computed, or is none that tensors have");
        }
        return ValueInfoProto.newBuilder()
                .setName(value)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder().setElemType(OnnxTypes.number(type.dtype()))))
                .build();
    }

    private static TensorProto outside(TensorProto weight) {
        return TensorProto.newBuilder()
                .setName(weight.getName())
                .setDataType(weight.getDataType())
                .addAllDims(weight.getDimsList())
                .setDataLocation(DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue("handed-over"))
                .build();
    }
}
