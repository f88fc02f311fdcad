package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.proto.AttributeProto;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.StringStringEntryProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorProto.DataLocation;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model names files of the host that runs it, or of the client that reads it. */
class ModelReadsNoFilesTest {
    private static final TensorType PAIR = new TensorType(DType.FLOAT32, Shape.of(2));

    @TempDir
    private Path folder;

    private Path secret;
    private Path model;

    @BeforeEach
    void write() throws IOException {
        ByteBuffer elements = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        elements.putFloat(3).putFloat(5);
        secret = Files.write(folder.resolve("secret"), elements.array());
        model = Files.createDirectories(folder.resolve("model"));
    }

    @Test
    void aWorkerOpensNoFileThatAnInitializerNames() {
        String message = workerRefuses(initializer(secret.toString()));
        assertTrue(message.contains(secret + "\", and a model reads no files"), message);
    }

    @Test
    void aWorkerOpensNoFileThatAConstantNames() {
        workerRefuses(constant(secret.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "pom.xml", "*/_ORT_MEM_ADDR_/*", "handed-over"})
    void aWorkerRefusesAnyPlace(String location) {
        workerRefuses(initializer(location));
        workerRefuses(constant(location));
    }

    @Test
    void aWeightThatCameAlongMayNotNameAPlaceBesides() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                Tensor weight = machine.tensor(new float[] {1, 2});
                OnnxModel open = OnnxModel.open(
                        machine,
                        ByteBuffer.wrap(initializer(secret.toString()).toByteArray()),
                        Map.of("weight", weight),
                        false)) {
            assertThrows(
                    OutpostException.class,
                    () -> open.call(List.of(PAIR)).getFirst().toFloatArray());
        }
    }

    @Test
    void aWorkerRefusesOnnxRuntimesOwnFormat() {
        byte[] bytes = ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(32)
                .put("ORTM".getBytes())
                .array();
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                OnnxModel open = OnnxModel.open(machine, bytes)) {
            assertThrows(
                    OutpostException.class,
                    () -> open.call(List.of(PAIR)).getFirst().toFloatArray());
        }
    }

    @Test
    void theClientReadsAFileInTheModelsFolder() throws IOException {
        Files.copy(secret, model.resolve("weights"));
        assertArrayEquals(new float[] {3, 5}, run("weights"));
    }

    @Test
    void theClientFollowsNoWayOutOfTheModelsFolder() throws IOException {
        Files.createSymbolicLink(model.resolve("link"), secret);
        Files.createSymbolicLink(model.resolve("up"), folder);
        for (String location : List.of("../secret", secret.toString(), "link", "up/secret", "a/../../secret", "")) {
            OnnxException refused = assertThrows(OnnxException.class, () -> run(location), location);
            assertTrue(refused.getMessage().contains("not in the model's folder"), refused.getMessage());
        }
    }

    private float[] run(String location) throws IOException {
        Path file =
                Files.write(model.resolve("model.onnx"), initializer(location).toByteArray());
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                OnnxPipeline pipeline =
                        OnnxPipeline.over(List.of(machine), file.toString(), new OnnxPipelineOptions())) {
            return pipeline.run(Map.of()).get("result");
        }
    }

    private static String workerRefuses(ModelProto hostile) {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                OnnxModel open = OnnxModel.open(machine, hostile.toByteArray())) {
            return assertThrows(
                            OutpostException.class,
                            () -> open.call(List.of(PAIR)).getFirst().toFloatArray())
                    .getMessage();
        }
    }

    private static ModelProto initializer(String location) {
        NodeProto node = NodeProto.newBuilder()
                .setOpType("Identity")
                .addInput("weight")
                .addOutput("result")
                .build();
        return model(GraphProto.newBuilder().addInitializer(outside(location)).addNode(node));
    }

    private static ModelProto constant(String location) {
        NodeProto node = NodeProto.newBuilder()
                .setOpType("Constant")
                .addOutput("result")
                .addAttribute(AttributeProto.newBuilder()
                        .setName("value")
                        .setType(AttributeProto.AttributeType.TENSOR)
                        .setT(outside(location)))
                .build();
        return model(GraphProto.newBuilder().addNode(node));
    }

    private static ModelProto model(GraphProto.Builder graph) {
        ValueInfoProto result = ValueInfoProto.newBuilder()
                .setName("result")
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(1)
                                .setShape(TensorShapeProto.newBuilder()
                                        .addDim(TensorShapeProto.Dimension.newBuilder()
                                                .setDimValue(2)))))
                .build();
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .setGraph(graph.setName("g").addOutput(result))
                .build();
    }

    private static TensorProto outside(String location) {
        return TensorProto.newBuilder()
                .setName("weight")
                .setDataType(1)
                .addDims(2)
                .setDataLocation(DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue(location))
                .build();
    }
}
