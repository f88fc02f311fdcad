package dev.outpost.onnx;

import dev.outpost.onnx.graph.GraphIndex;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.OnnxFile;
import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.plan.QuantityFormat;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.types.DType;
import dev.outpost.types.TensorType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The summary of a model, made without running it.
 *
 * @param inputs dtype and shape of each input, with names for sizes that the model leaves open
 * @param outputs dtype and shape of each output
 * @param nodes number of nodes
 * @param operators number of nodes of each operator, the most frequent first
 * @param weights number and size of the weights
 * @param cuts number of places at which the model can be cut in two
 */
public record ModelSummary(
        Map<String, String> inputs,
        Map<String, String> outputs,
        int nodes,
        String operators,
        String weights,
        int cuts) {

    /** Reads a model. Fails if the file is not a model. */
    public static ModelSummary of(String uri) {
        ModelGraph model = ModelGraph.of(OnnxFile.read(uri));
        GraphIndex index = model.index();
        Map<String, String> inputs = new LinkedHashMap<>();
        index.inputs().forEach((name, info) -> inputs.put(name, text(info)));
        Map<String, String> outputs = new LinkedHashMap<>();
        model.file().model().getGraph().getOutputList().forEach(info -> outputs.put(info.getName(), text(info)));
        long bytes = index.weights().values().stream()
                .mapToLong(
                        weight -> OnnxTypes.type(weight).map(TensorType::bytes).orElse(0L))
                .sum();
        return new ModelSummary(
                inputs,
                outputs,
                index.size(),
                operators(index),
                index.weights().size() + " of " + QuantityFormat.bytes(bytes),
                cuts(model));
    }

    private static String text(ValueInfoProto info) {
        String dtype = OnnxTypes.dtype(info.getType().getTensorType().getElemType())
                .map(DType::label)
                .orElse("another dtype");
        return dtype + " " + ModelGraph.text(info.getType().getTensorType().getShape());
    }

    private static String operators(GraphIndex index) {
        Map<String, Long> counts = index.nodes().stream()
                .collect(Collectors.groupingBy(NodeProto::getOpType, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private static int cuts(ModelGraph model) {
        StageCutter cutter = model.cutter(model.nominalInputs(Map.of()));
        long[] bytes = cutter.bytesAtCuts();
        int cuts = 0;
        for (int cut = 1; cut < bytes.length - 1; cut++) {
            cuts += bytes[cut] >= 0 ? 1 : 0;
        }
        return cuts;
    }
}
