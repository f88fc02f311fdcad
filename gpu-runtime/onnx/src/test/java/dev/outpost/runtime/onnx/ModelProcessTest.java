package dev.outpost.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The process of a session's models: its limits, and what it leaves behind. */
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

    /** Found by damaged sizes of a recurrent model. */
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
    void theProcessHasNoSettingsOfTheRuntime() throws IOException {
        try (ChildProcess child = ChildProcess.start()) {
            assertTrue(child.isAlive());
            Path environment = Path.of("/proc/" + children().getFirst().pid() + "/environ");
            if (Files.exists(environment)) {
                assertFalse(Files.readString(environment).contains("OUTPOST_"));
            }
        }
    }
}
