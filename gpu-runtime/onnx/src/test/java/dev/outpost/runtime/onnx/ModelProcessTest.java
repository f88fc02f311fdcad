package dev.outpost.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the process of a session's models: its limits, and the files that it leaves. */
class ModelProcessTest {
    private static final ModelOptions OPTIONS = new ModelOptions(false, false);

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
    }

    /** This case was found by damaging sizes of a recurrent model. */
    @Test
    void aModelThatIsNeverOpenIsGivenUp() throws IOException {
        byte[] endless = Files.readAllBytes(Path.of("src/test/resources/endless.onnx"));
        OnnxHost host = new OnnxHost(Duration.ofSeconds(3));
        OutpostException told =
                assertThrows(OutpostException.class, () -> host.open(direct(endless), Map.of(), OPTIONS));
        assertEquals(FaultKind.RESOURCES, told.kind());
        assertTrue(told.getMessage().contains("or more than 3 s"), told::getMessage);
        assertEquals(List.of(), children());
    }

    @Test
    void aRefusedModelLeavesTheProcessToTheNextOne() {
        OnnxHost host = new OnnxHost();
        for (int round = 0; round < 2; round++) {
            OutpostException told =
                    assertThrows(OutpostException.class, () -> host.open(direct(new byte[] {8, 8}), Map.of(), OPTIONS));
            assertEquals(FaultKind.USER, told.kind());
            assertTrue(told.getMessage().startsWith("model_open: ONNX Runtime: "), told::getMessage);
            assertEquals(1, children().size());
        }
        children().forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void theProcessHasNoSecretsOfTheRuntime() throws IOException {
        for (String secret : List.of(
                "OUTPOST_RUNTIME_TOKEN",
                "AWS_SECRET_ACCESS_KEY",
                "HF_TOKEN",
                "HUGGING_FACE_HUB_TOKEN",
                "NVIDIA_API_KEY",
                "https_proxy",
                "JAVA_TOOL_OPTIONS")) {
            assertFalse(ChildProcess.isInherited(secret), secret);
        }
        try (ChildProcess child = ChildProcess.start()) {
            assertTrue(child.isAlive());
            Path environment = Path.of("/proc/" + children().getFirst().pid() + "/environ");
            if (Files.exists(environment)) {
                for (String variable : Files.readString(environment).split("\0")) {
                    assertTrue(ChildProcess.isInherited(variable.split("=", 2)[0]), variable);
                }
            }
            child.awaitEnd();
        }
    }

    /** The time of a run ends while its inputs are written or its outputs are read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void processThatTakesNoInputsOrGivesNoOutputsIsEndedWithTheRun(boolean takesInputs) throws Exception {
        ModelProcess process = new ModelProcess(ChildProcess.start(SilentModelProcess.class));
        OpenModel model = process.open(direct(new byte[8]), Map.of(), OPTIONS, Await.GUARD);
        // More bytes than a socket can hold.
        ModelValue input = value(takesInputs ? 1 : 64 << 20);
        List<ModelValue> outputs = takesInputs ? List.of(value(1)) : List.of();
        OutpostException told = assertThrows(
                OutpostException.class,
                () -> Await.within("the run ends", () -> model.run(List.of(input), outputs, () -> true)));
        assertEquals("model_call: the run was stopped at its time limit", told.getMessage());
        Await.until("the process has ended", () -> children().isEmpty());
    }

    private static ModelValue value(int bytes) {
        return new ModelValue(new TensorType(DType.UINT8, Shape.of(bytes)), direct(new byte[bytes]));
    }
}
