package dev.outpost.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class ParitySafetensorsTest {
    @TempDir
    private Path folder;

    @Test
    void readsTensorsByName() throws IOException {
        Path file = ParityFiles.pack(folder).resolve("tensors.safetensors");
        try (ParitySafetensors tensors = ParitySafetensors.open(file)) {
            assertEquals(List.of("a", "b", "sum"), List.copyOf(tensors.names()));
            assertEquals(HostTensor.of(new float[] {3, 4}), tensors.tensor("b"));
            var unknown = assertThrows(IllegalArgumentException.class, () -> tensors.tensor("c"));
            assertEquals("safetensors: no tensor is called c", unknown.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]                                                 | the header is no JSON object",
                "{'t':{'dtype':'F32','shape':[2],'data_offsets':[0,9]}} "
                        + "| tensor t: expected offsets within the 8 bytes of data, got [0, 9]",
                "{'t':{'dtype':'F32','shape':[2],'data_offsets':[-8,0]}} "
                        + "| tensor t: expected offsets within the 8 bytes of data, got [-8, 0]",
                "{'t':{'dtype':'F32','shape':[1],'data_offsets':[0,8]}} "
                        + "| tensor t: float32 [1] takes 4 bytes, got offsets [0, 8]",
                "{'t':{'dtype':'C64','shape':[1],'data_offsets':[0,8]}} "
                        + "| tensor t: the dtype is not supported, got C64",
                "{'t':{'dtype':'F32','shape':[-2],'data_offsets':[0,8]}} "
                        + "| tensor t: shape: sizes must not be negative, got [-2]"
            })
    void refusesWhatDoesNotFit(String header, String problem) throws IOException {
        Path file = ParityFiles.safetensors(folder.resolve("bad"), header.replace('\'', '"'), 1, 2);
        assertRefused(file, "malformed input: safetensors: " + problem);
    }

    @Test
    void refusesATruncatedFile() throws IOException {
        assertRefused(
                Files.write(folder.resolve("short"), new byte[5]),
                "malformed input: safetensors: expected at least 8 bytes, got 5");
        assertRefused(
                Files.write(folder.resolve("long"), new byte[] {100, 0, 0, 0, 0, 0, 0, 0, '{'}),
                "malformed input: safetensors: this is no safetensors file, or it is incomplete: a header of 100 bytes does not fit, the file has 9");
    }

    private static void assertRefused(Path file, String problem) {
        assertEquals(
                problem,
                assertThrows(MalformedException.class, () -> ParitySafetensors.open(file))
                        .getMessage());
    }
}
