package dev.outpost.onnx.pipeline;

import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.StringStringEntryProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorProto.DataLocation;
import dev.outpost.onnx.proto.TensorProto.DataType;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A model of known cost on a machine. Its input and weights are zeros that are created there, so nothing is sent. */
record CalibrationModel(OnnxModel model, Tensor input, TensorType output) implements AutoCloseable {
    private static final int VERSION = 13;
    private static final int FORMAT = 8;

    /** Makes a sequence of products of a matrix with square matrices. */
    static CalibrationModel products(RemoteMachine machine, int rows, int width, int count) {
        GraphProto.Builder graph = graph();
        Map<String, Tensor> weights = new LinkedHashMap<>();
        for (int node = 0; node < count; node++) {
            graph.addNode(node("MatMul", node, "w" + node));
            graph.addInitializer(handedOver("w" + node, width));
            weights.put("w" + node, machine.zeros(width, width));
        }
        try {
            return open(machine, graph, count, weights, rows, width);
        } finally {
            weights.values().forEach(Tensor::close);
        }
    }

    /** Makes a sequence of additions of an array to itself. */
    static CalibrationModel additions(RemoteMachine machine, int elements, int count) {
        GraphProto.Builder graph = graph();
        for (int node = 0; node < count; node++) {
            graph.addNode(node("Add", node, "x0"));
        }
        return open(machine, graph, count, Map.of(), elements);
    }

    private static CalibrationModel open(
            RemoteMachine machine, GraphProto.Builder graph, int count, Map<String, Tensor> weights, long... sizes) {
        byte[] bytes = ModelProto.newBuilder()
                .setIrVersion(FORMAT)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(VERSION))
                .setGraph(graph.addInput(value("x0", sizes)).addOutput(value("x" + count, sizes)))
                .build()
                .toByteArray();
        OnnxModel model = OnnxModel.open(machine, ByteBuffer.wrap(bytes), weights, false);
        return new CalibrationModel(model, machine.zeros(sizes), new TensorType(DType.FLOAT32, Shape.of(sizes)));
    }

    private static GraphProto.Builder graph() {
        return GraphProto.newBuilder().setName("calibration");
    }

    private static NodeProto node(String op, int number, String operand) {
        return NodeProto.newBuilder()
                .setOpType(op)
                .addInput("x" + number)
                .addInput(operand)
                .addOutput("x" + (number + 1))
                .build();
    }

    /** Declares a weight whose elements are passed separately. */
    private static TensorProto handedOver(String name, long width) {
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(DataType.FLOAT_VALUE)
                .addDims(width)
                .addDims(width)
                .setDataLocation(DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue("handed-over"))
                .build();
    }

    private static ValueInfoProto value(String name, long[] sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : sizes) {
            shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(size));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(DataType.FLOAT_VALUE)
                                .setShape(shape)))
                .build();
    }

    /** Runs the model. Does not wait. The caller closes the result. */
    Tensor run() {
        return model.call(List.of(output), input).getFirst();
    }

    @Override
    public void close() {
        input.close();
        model.close();
    }
}
