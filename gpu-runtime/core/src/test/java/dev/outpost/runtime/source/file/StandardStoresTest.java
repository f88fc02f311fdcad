package dev.outpost.runtime.source.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine reads and writes folders without the module of remote stores. The class path of this module lacks that module. */
class StandardStoresTest {
    @TempDir
    Path folder;

    @Test
    void aFolderIsReadWithoutFurtherModules() throws IOException {
        Files.writeString(folder.resolve("states"), "text");
        String uri = "file:" + folder;
        try (Sources sources = new Sources(SourceSettings.parse(uri))) {
            assertEquals(4, sources.file(uri, "states").bytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://bucket/states", "hf://org/name"})
    void aRemoteStoreNamesTheMissingArtefact(String uri) {
        try (Sources sources = new Sources(SourceSettings.parse(uri))) {
            String message = assertThrows(OutpostException.class, () -> sources.open(uri))
                    .getMessage();
            assertTrue(
                    message.startsWith("open: " + uri + " needs dev.outpost:outpost-runtime-sources on the class path"),
                    message);
            assertTrue(message.contains("file, "), message);
        }
    }
}
