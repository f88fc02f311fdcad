package dev.outpost.bench.lan;

import com.google.protobuf.ByteString;
import dev.outpost.HostTensor;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** A chain of products and activations. {@value #ROWS} × {@value #WIDTH} floats cross each possible cut. */
final class ChainModel {
    static final int ROWS = 128;
    static final int WIDTH = 512;
    private static final int LAYERS = 16;
    private static final int FORMAT = 8;
    private static final int VERSION = 13;

    private ChainModel() {}

    static byte[] model() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("chain").addInput(value("x0"));
        Random random = new Random(7);
        for (int layer = 0; layer < LAYERS; layer++) {
            graph.addInitializer(weight("w" + layer, random));
            graph.addNode(node("MatMul", "y" + layer, "x" + layer, "w" + layer));
            graph.addNode(node("Relu", "x" + (layer + 1), "y" + layer));
        }
        return ModelProto.newBuilder()
                .setIrVersion(FORMAT)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(VERSION))
                .setGraph(graph.addOutput(value("x" + LAYERS)))
                .build()
                .toByteArray();
    }

    static HostTensor input() {
        float[] values = new float[ROWS * WIDTH];
        Random random = new Random(8);
        for (int place = 0; place < values.length; place++) {
            values[place] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, ROWS, WIDTH);
    }

    /** Returns a weight that preserves the variance: a product after a Relu has the variance of its input. */
    private static TensorProto weight(String name, Random random) {
        ByteBuffer bytes = ByteBuffer.allocate(WIDTH * WIDTH * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        double scale = Math.sqrt(2.0 / WIDTH);
        for (int place = 0; place < WIDTH * WIDTH; place++) {
            bytes.putFloat((float) (scale * random.nextGaussian()));
        }
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.FLOAT_VALUE)
                .addDims(WIDTH)
                .addDims(WIDTH)
                .setRawData(ByteString.copyFrom(bytes.flip()))
                .build();
    }

    private static NodeProto node(String op, String output, String... inputs) {
        NodeProto.Builder node = NodeProto.newBuilder().setOpType(op).addOutput(output);
        for (String input : inputs) {
            node.addInput(input);
        }
        return node.build();
    }

    private static ValueInfoProto value(String name) {
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(TensorProto.DataType.FLOAT_VALUE)
                                .setShape(TensorShapeProto.newBuilder()
                                        .addDim(size(ROWS))
                                        .addDim(size(WIDTH)))))
                .build();
    }

    private static TensorShapeProto.Dimension size(long size) {
        return TensorShapeProto.Dimension.newBuilder().setDimValue(size).build();
    }
}
