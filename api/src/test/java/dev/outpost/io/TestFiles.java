package dev.outpost.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.function.Executable;

/** Files that numpy 2.4.6 and safetensors 0.8.0 have written. */
final class TestFiles {
    private TestFiles() {}

    static byte[] bytes(String name) {
        try (InputStream in = TestFiles.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static Path copy(Path folder, String name) throws IOException {
        return write(folder, name, bytes(name));
    }

    static Path write(Path folder, String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    /** Checks the end of the message; it begins with the file's name. */
    static void assertRefused(String end, Executable reading) {
        String message = assertThrows(OutpostException.class, reading).getMessage();
        assertEquals(end, message.substring(Math.max(0, message.length() - end.length())), message);
    }
}
