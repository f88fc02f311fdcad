package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infers dtype and shape of each value of a graph from the operators' rules and the model's declarations, for given shapes of
 * the inputs. Also tracks integers from which shapes are computed. If neither a rule nor a declaration determines the type of
 * a value, the type is unknown, and the graph is not cut there.
 */
public final class ShapeInference {
    private static final Map<String, ShapeRule> RULES = new HashMap<>();

    static {
        ElementwiseRules.addTo(RULES);
        MovingRules.addTo(RULES);
        FoldingRules.addTo(RULES);
    }

    private static final String STANDARD_DOMAIN = "ai.onnx";

    private ShapeInference() {}

    /** Returns the known types by value. */
    public static Map<String, TensorType> infer(OnnxFile file, GraphIndex graph, Map<String, TensorType> inputs) {
        Map<String, Inferred> known = new HashMap<>();
        inputs.forEach((name, type) -> known.put(name, new Inferred(type, null)));
        graph.weights().forEach((name, weight) -> known.put(name, constant(weight, file)));
        Map<String, TensorType> declared = declared(file);
        requireOpset(file);
        for (NodeProto node : graph.nodes()) {
            List<Inferred> outputs = outputs(node, known, file);
            for (int place = 0; place < node.getOutputCount(); place++) {
                Inferred output = place < outputs.size() ? outputs.get(place) : Inferred.UNKNOWN;
                String name = node.getOutput(place);
                known.put(
                        name,
                        output.isKnown() || !declared.containsKey(name)
                                ? output
                                : new Inferred(declared.get(name), null));
            }
        }
        Map<String, TensorType> types = new HashMap<>();
        known.forEach((name, value) -> {
            if (value.type() != null
                    && OnnxTypes.isSensible(value.type().shape().toArray())) {
                types.put(name, value.type());
            }
        });
        return types;
    }

    private static List<Inferred> outputs(NodeProto node, Map<String, Inferred> known, OnnxFile file) {
        ShapeRule rule = RULES.get(node.getOpType());
        if (rule == null) {
            return List.of();
        }
        List<Inferred> inputs = new ArrayList<>();
        for (String name : node.getInputList()) {
            inputs.add(known.getOrDefault(name, Inferred.UNKNOWN));
        }
        try {
            return rule.infer(new NodeView(node, inputs, file));
        } catch (NodeView.Unknown unknown) {
            return List.of();
        } catch (RuntimeException ignored) {
            // The operator does not accept these inputs. ONNX Runtime reports it when the model is opened.
            return List.of();
        }
    }

    static Inferred constant(TensorProto tensor, OnnxFile file) {
        Optional<TensorType> type = OnnxTypes.type(tensor);
        if (type.isEmpty()) {
            return Inferred.UNKNOWN;
        }
        DType dtype = type.get().dtype();
        boolean isList = (dtype == DType.INT64 || dtype == DType.INT32 || dtype == DType.BOOL)
                && type.get().shape().elements() <= Inferred.MAX_CONTENT;
        return new Inferred(type.get(), isList ? content(file.elements(tensor), dtype) : null);
    }

    private static long[] content(ByteBuffer elements, DType dtype) {
        long[] content = new long[elements.remaining() / dtype.bytes()];
        for (int index = 0; index < content.length; index++) {
            content[index] = switch (dtype) {
                case INT64 -> elements.getLong(index * Long.BYTES);
                case INT32 -> elements.getInt(index * Integer.BYTES);
                default -> elements.get(index);
            };
        }
        return content;
    }

    /** Returns the declared types of values whose sizes are all numbers. */
    private static Map<String, TensorType> declared(OnnxFile file) {
        Map<String, TensorType> declared = new HashMap<>();
        for (List<ValueInfoProto> infos : List.of(
                file.model().getGraph().getValueInfoList(),
                file.model().getGraph().getOutputList())) {
            infos.forEach(info -> fixed(info).ifPresent(type -> declared.put(info.getName(), type)));
        }
        return declared;
    }

    /** Returns the declared type of a value, if all its sizes are numbers. */
    public static Optional<TensorType> fixed(ValueInfoProto info) {
        if (!info.getType().hasTensorType() || !info.getType().getTensorType().hasShape()) {
            return Optional.empty();
        }
        TensorShapeProto shape = info.getType().getTensorType().getShape();
        long[] sizes = new long[shape.getDimCount()];
        for (int dim = 0; dim < sizes.length; dim++) {
            if (!shape.getDim(dim).hasDimValue()) {
                return Optional.empty();
            }
            sizes[dim] = shape.getDim(dim).getDimValue();
        }
        if (!OnnxTypes.isSensible(sizes)) {
            return Optional.empty();
        }
        return OnnxTypes.dtype(info.getType().getTensorType().getElemType())
                .map(dtype -> new TensorType(dtype, Shape.of(sizes)));
    }

    private static void requireOpset(OnnxFile file) {
        boolean isThere = file.model().getOpsetImportList().stream()
                .map(OperatorSetIdProto::getDomain)
                .anyMatch(domain -> domain.isEmpty() || domain.equals(STANDARD_DOMAIN));
        if (!isThere) {
            throw new OnnxException("the model names no version of ONNX's operators");
        }
    }
}
