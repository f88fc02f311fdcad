package dev.outpost.io;

import static dev.outpost.io.TestFiles.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.nn.Linear;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsTest {
    private static final HostTensor MATRIX = HostTensor.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3);

    @TempDir
    private Path folder;

    @Test
    void filesOfTheReferenceImplementationAreRead() throws IOException {
        Path file = TestFiles.copy(folder, "file.safetensors");
        assertEquals(
                Map.of("a", MATRIX, "flag", HostTensor.scalar(true), "b", HostTensor.of(new long[] {1, 2})),
                Safetensors.read(file));
        try (SafetensorsFile open = Safetensors.open(file)) {
            assertEquals(List.of("b", "a", "flag"), open.names());
            assertEquals(new TensorType(DType.FLOAT32, Shape.of(2, 3)), open.type("a"));
            assertEquals(Map.of("format", "pt"), open.metadata());
            assertEquals(MATRIX.slice(1, 2), open.read("a", 1, 2));
            assertEquals(MATRIX.slice(0, 0), open.read("a", 2, 2));
            assertRefused("rows 1 to 3 of a do not exist, it is float32[2,3]", () -> open.read("a", 1, 3));
            assertRefused("rows 0 to 1 of flag do not exist, it is bool[]", () -> open.read("flag", 0, 1));
            assertRefused(" has no tensor c", () -> open.read("c"));
        }
    }

    @Test
    void everyDTypeComesBack() throws IOException {
        SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
        for (DType dtype : DType.values()) {
            tensors.put(dtype.toString(), HostTensor.of(new double[] {0, 1, 1}).to(dtype));
        }
        tensors.put("empty", HostTensor.of(new float[0], 0, 7));
        Path file = folder.resolve("all.safetensors");
        Safetensors.write(file, tensors, Map.of("format", "pt"));
        assertEquals(tensors, Safetensors.read(file));
        Safetensors.write(file, Map.of());
        assertEquals(Map.of(), Safetensors.read(file));
    }

    @Test
    void anIndexIsReadThroughItsFiles() throws IOException {
        HostTensor other = HostTensor.of(new long[] {7});
        Safetensors.write(folder.resolve("model-1.safetensors"), Map.of("a", MATRIX));
        Safetensors.write(folder.resolve("model-2.safetensors"), Map.of("b", other));
        Path index = folder.resolve("model.safetensors.index.json");
        Files.writeString(index, "{\"weight_map\": {\"a\": \"model-1.safetensors\", \"b\": \"model-2.safetensors\"}}");
        assertEquals(Map.of("a", MATRIX, "b", other), Safetensors.read(index));
        Files.writeString(index, "{\"weight_map\": {\"b\": \"model-1.safetensors\"}}");
        assertRefused(": tensor b is not in model-1.safetensors", () -> Safetensors.read(index));
        Files.writeString(index, "{\"weight_map\": {\"b\": \"../model-1.safetensors\"}}");
        assertThrows(MalformedException.class, () -> Safetensors.read(index));
    }

    @Test
    void stateDictsAreFilesOfEitherKind() throws IOException {
        Linear layer = new Linear(3, 2);
        layer.loadStateDict(Map.of("weight", MATRIX, "bias", HostTensor.of(new float[] {1, 2})));
        Path file = folder.resolve("layer.safetensors");
        Path arrays = folder.resolve("layer.npz");
        Safetensors.write(file, layer.stateDict());
        Npz.write(arrays, layer.stateDict());
        Linear first = new Linear(3, 2);
        first.loadStateDict(Safetensors.read(file));
        assertEquals(layer.stateDict(), first.stateDict());
        Linear second = new Linear(3, 2);
        second.loadStateDict(Npz.read(arrays));
        assertEquals(layer.stateDict(), second.stateDict());
    }

    @Test
    void aCutFileIsRefused() throws IOException {
        byte[] whole = TestFiles.bytes("file.safetensors");
        Path cut = TestFiles.write(folder, "cut.safetensors", Arrays.copyOf(whole, whole.length - 1));
        assertThrows(MalformedException.class, () -> Safetensors.read(cut));
    }
}
