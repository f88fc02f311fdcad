package dev.outpost.runtime.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeLibrariesTest {
    @Test
    void allProcessesShareOneFolder() {
        Path folder = NativeLibraries.folder().orElseThrow();
        assertTrue(Files.isReadable(folder.resolve(System.mapLibraryName("onnxruntime"))));
        assertEquals(Optional.of(folder), NativeLibraries.folder());
    }

    @Test
    void anotherPlatformUnpacksByItself() {
        assertEquals(Optional.empty(), NativeLibraries.unpack("plan9-x64"));
    }
}
