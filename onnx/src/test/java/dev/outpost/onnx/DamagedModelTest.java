package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.TensorProto.DataType;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests models that make ONNX Runtime end its process while it opens or runs them. The machines of this test compute in its process, which
 * would end too.
 */
class DamagedModelTest {
    private static final Path MODELS = Path.of("src/test/resources/models");
    private static final TensorType PAIR = new TensorType(DType.INT32, Shape.of(2));

    private final RemoteMachine machine = RemoteMachine.of("mock", "any");
    private final RemoteMachine other = RemoteMachine.of("mock", "any");
    private OnnxModel quotient;

    @BeforeEach
    void open() {
        quotient = OnnxModel.open(other, quotient());
    }

    @AfterEach
    void close() {
        quotient.close();
        machine.close();
        other.close();
    }

    /** Found by damaged constants of {@code group_norm.onnx}: a size of zero by which ONNX Runtime divides while it opens the model. */
    @Test
    void aModelThatCannotBeSurvivedIsRefusedWhenItIsOpened() throws IOException {
        assertArrayEquals(new int[] {3, 2}, quotient(other, quotient, 12, 8, 4, 4));
        byte[] damaged = Files.readAllBytes(MODELS.resolve("damaged/group_norm.onnx"));
        OnnxModel opened = OnnxModel.open(machine, damaged);
        OutpostException told = assertThrows(OutpostException.class, machine::synchronize);
        opened.close();
        assertEquals(FaultKind.USER, told.kind());
        assertTrue(told.getMessage().startsWith("model_open: ONNX Runtime ended with this model"), told::getMessage);
        assertSessionsGoOn();
    }

    /** ONNX Runtime refuses to divide by zero, and divides the least integer by -1, which has no result. */
    @Test
    void aRunThatCannotBeSurvivedEndsTheModelsOfItsSessionAlone() {
        assertArrayEquals(new int[] {3, 2}, quotient(other, quotient, 12, 8, 4, 4));
        try (OnnxModel fatal = OnnxModel.open(machine, quotient())) {
            assertArrayEquals(new int[] {6, 2}, quotient(machine, fatal, 12, 8, 2, 4));
            OutpostException told =
                    assertThrows(OutpostException.class, () -> quotient(machine, fatal, Integer.MIN_VALUE, 8, -1, 4));
            assertEquals(FaultKind.EXTERNAL, told.kind(), told::getMessage);
            assertTrue(
                    told.getMessage().startsWith("model_call: ONNX Runtime ended with the models"), told::getMessage);
        }
        assertSessionsGoOn();
    }

    private void assertSessionsGoOn() {
        assertArrayEquals(new int[] {4, 1}, quotient(other, quotient, 12, 8, 3, 8));
        try (OnnxModel again = OnnxModel.open(machine, quotient())) {
            assertArrayEquals(new int[] {5, 7}, quotient(machine, again, 10, 7, 2, 1));
        }
    }

    private static int[] quotient(RemoteMachine machine, OnnxModel model, int first, int second, int one, int two) {
        try (Tensor dividend = machine.tensor(HostTensor.of(new int[] {first, second}, 2));
                Tensor divisor = machine.tensor(HostTensor.of(new int[] {one, two}, 2));
                Tensor result = model.call(List.of(PAIR), dividend, divisor).getFirst()) {
            return result.toHost().toIntArray();
        }
    }

    private static byte[] quotient() {
        NodeProto divide = NodeProto.newBuilder()
                .setOpType("Div")
                .addInput("dividend")
                .addInput("divisor")
                .addOutput("quotient")
                .build();
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .setGraph(GraphProto.newBuilder()
                        .setName("g")
                        .addNode(divide)
                        .addInput(pair("dividend"))
                        .addInput(pair("divisor"))
                        .addOutput(pair("quotient")))
                .build()
                .toByteArray();
    }

    private static ValueInfoProto pair(String name) {
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(DataType.INT32_VALUE)
                                .setShape(TensorShapeProto.newBuilder()
                                        .addDim(TensorShapeProto.Dimension.newBuilder()
                                                .setDimValue(2)))))
                .build();
    }
}
