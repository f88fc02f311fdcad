package dev.outpost.onnx.export;

import com.google.protobuf.ByteString;
import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.internal.trace.TracedGraph;
import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes a traced function as a model. Each value has a name, and nodes are added by {@link InstructionRules}. Not thread-safe. */
public final class GraphWriter {
    /** The version of the operator set. */
    private static final int OPERATORS = 17;

    private static final int FORMAT = 8;

    private final TracedGraph traced;
    private final Graph graph;
    private final GraphProto.Builder target = GraphProto.newBuilder().setName("outpost");
    private final Map<Integer, String> names = new HashMap<>();
    private int made;

    private GraphWriter(TracedGraph traced) {
        this.traced = traced;
        this.graph = traced.graph();
    }

    /**
     * Writes a function.
     *
     * @param inputs the names of its arguments
     * @param outputs the names of its results
     */
    public static ModelProto write(TracedGraph traced, List<String> inputs, List<String> outputs) {
        GraphWriter writer = new GraphWriter(traced);
        writer.inputs(inputs);
        for (Instruction instruction : writer.graph.instructions()) {
            InstructionRules.write(instruction, writer);
        }
        writer.outputs(outputs);
        return ModelProto.newBuilder()
                .setIrVersion(FORMAT)
                .setProducerName("outpost")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATORS))
                .setGraph(writer.target)
                .build();
    }

    private void inputs(List<String> given) {
        for (int input = 0; input < traced.sources().size(); input++) {
            switch (traced.sources().get(input)) {
                case TracedGraph.Source.Argument argument -> {
                    String name = given.get(argument.index());
                    names.put(input, name);
                    target.addInput(declared(name, graph.type(input)));
                }
                case TracedGraph.Source.Captured captured -> {
                    HostTensor elements = read(captured);
                    names.put(input, constant(graph.type(input), elements.bytes()));
                }
            }
        }
    }

    private static HostTensor read(TracedGraph.Source.Captured captured) {
        try (Tensor tensor = (Tensor) captured.tensor()) {
            return tensor.toHost();
        }
    }

    private void outputs(List<String> wanted) {
        for (int output = 0; output < wanted.size(); output++) {
            int value = traced.outputs().get(output);
            add(node("Identity", List.of(name(value))).addOutput(wanted.get(output)));
            target.addOutput(declared(wanted.get(output), graph.type(value)));
        }
    }

    private static ValueInfoProto declared(String name, TensorType type) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : type.shape().toArray()) {
            shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(size));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(OnnxTypes.number(type.dtype()))
                                .setShape(shape)))
                .build();
    }

    // ---- methods for the rules

    /** Returns the name of an operand; a number becomes a constant. */
    String operand(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? constant(instruction.immediate(position)) : name(value);
    }

    private String name(int value) {
        return names.get(value);
    }

    /** Adds a node. Returns the name of its output. */
    String node(String operator, Attributes attributes, String... inputs) {
        NodeProto.Builder node = node(operator, List.of(inputs));
        attributes.addTo(node);
        String name = fresh();
        add(node.addOutput(name));
        return name;
    }

    /** Adds a node without attributes, see {@link #node(String, Attributes, String...)}. */
    String node(String operator, String... inputs) {
        return node(operator, Attributes.NONE, inputs);
    }

    private static NodeProto.Builder node(String operator, List<String> inputs) {
        return NodeProto.newBuilder().setOpType(operator).addAllInput(inputs);
    }

    private void add(NodeProto.Builder node) {
        target.addNode(node.setName(node.getOpType() + "_" + target.getNodeCount()));
    }

    /** Sets the name of the value that an instruction computes. */
    void define(Instruction instruction, String name) {
        names.put(instruction.result(0), name);
    }

    /** Adds a one-dimensional constant of integers. */
    String constant(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return constant(new TensorType(DType.INT64, Shape.of(numbers.length)), bytes.array());
    }

    String constant(Scalar number) {
        HostTensor one = HostTensor.of(new double[] {number.asDouble()}, new long[0]);
        return node(
                "Cast",
                Attributes.of("to", OnnxTypes.number(number.dtype())),
                constant(new TensorType(DType.FLOAT64, Shape.SCALAR), one.bytes()));
    }

    String constant(TensorType type, byte[] elements) {
        String name = fresh();
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(OnnxTypes.number(type.dtype()))
                .setRawData(ByteString.copyFrom(elements));
        for (long size : type.shape().toArray()) {
            tensor.addDims(size);
        }
        target.addInitializer(tensor);
        return name;
    }

    private String fresh() {
        return "v" + made++;
    }
}
