package dev.outpost.onnx.graph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Models with bytes that are others: each is read, or refused in a sentence. */
class FuzzedModelTest {
    private static final int ROUNDS = 400;

    @Test
    void aDamagedModelIsReadOrRefused() throws IOException {
        Random random = new Random(11);
        int read = 0;
        for (String name : List.of("mlp", "two_outputs", "shapes", "attention")) {
            byte[] whole = Files.readAllBytes(Path.of("src/test/resources/models", name + ".onnx"));
            for (int round = 0; round < ROUNDS; round++) {
                byte[] damaged = whole.clone();
                for (int change = random.nextInt(4); change >= 0; change--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                read += isRead(damaged) ? 1 : 0;
            }
        }
        assertTrue(read > 0, "some damage is harmless");
    }

    private static boolean isRead(byte[] bytes) {
        try {
            ModelGraph model = ModelGraph.of(OnnxFile.of(bytes));
            Map<String, TensorType> inputs = model.nominalInputs(Map.of());
            StageCutter cutter = model.cutter(inputs);
            cutter.bytesAtCuts();
            cutter.stage(0, model.index().size());
            return true;
        } catch (OnnxException refused) {
            assertTrue(refused.getMessage().startsWith("onnx: "), refused.getMessage());
            return false;
        }
    }
}
