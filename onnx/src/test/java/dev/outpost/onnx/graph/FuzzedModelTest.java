package dev.outpost.onnx.graph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests models with changed bytes: each is read, or refused with a sentence. {@code -Doutpost.fuzz.rounds} and {@code -Doutpost.fuzz.seed}
 * set the number and the seed of models.
 */
class FuzzedModelTest {
    private static final int ROUNDS = Integer.getInteger("outpost.fuzz.rounds", 400);
    private static final long SEED = Long.getLong("outpost.fuzz.seed", 11);

    @Test
    void aDamagedModelIsReadOrRefused() throws IOException {
        Random random = new Random(SEED);
        int read = 0;
        for (String name : List.of("mlp", "two_outputs", "shapes", "attention")) {
            byte[] whole = Files.readAllBytes(Path.of("src/test/resources/models", name + ".onnx"));
            for (int round = 0; round < ROUNDS; round++) {
                byte[] damaged = whole.clone();
                for (int change = random.nextInt(4); change >= 0; change--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                read += isRead(name, round, cut(damaged, random)) ? 1 : 0;
            }
        }
        assertTrue(read > 0, "some damage is harmless");
    }

    /** One in eight is truncated, or contains a part twice. */
    private static byte[] cut(byte[] bytes, Random random) {
        return switch (random.nextInt(16)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> doubled(bytes, random.nextInt(bytes.length));
            default -> bytes;
        };
    }

    private static byte[] doubled(byte[] bytes, int from) {
        byte[] longer = Arrays.copyOf(bytes, 2 * bytes.length - from);
        System.arraycopy(bytes, from, longer, bytes.length, bytes.length - from);
        return longer;
    }

    private static boolean isRead(String name, int round, byte[] bytes) {
        try {
            ModelGraph model = ModelGraph.of(OnnxFile.of(bytes));
            Map<String, TensorType> inputs = model.nominalInputs(Map.of());
            StageCutter cutter = model.cutter(inputs);
            cutter.bytesAtCuts();
            cutter.stage(0, model.index().size());
            return true;
        } catch (OnnxException failure) {
            assertTrue(failure.getMessage().startsWith("onnx: "), failure.getMessage());
            return false;
        } catch (RuntimeException | Error failure) {
            throw new AssertionError(name + ", seed " + SEED + ", round " + round, failure);
        }
    }
}
