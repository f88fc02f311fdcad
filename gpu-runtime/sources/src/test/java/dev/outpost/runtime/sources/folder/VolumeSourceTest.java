package dev.outpost.runtime.sources.folder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.sources.TensorFile;
import dev.outpost.source.Source;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Folders of a machine that its settings give names. */
class VolumeSourceTest {
    @TempDir
    private Path folder;

    private Path volume;

    @BeforeEach
    void writeModel() throws IOException {
        volume = folder.resolve("mounted");
        Path model = Files.createDirectories(volume.resolve("tiny"));
        HostTensor weight = HostTensor.of(new float[] {1, 2, 3}, 3);
        Files.write(model.resolve("model.safetensors"), TensorFile.of(Map.of("weight", weight)));
    }

    private RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "volume:models=" + volume));
    }

    @Test
    void aVolumeIsReadAndWrittenByItsName() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("volume:models/tiny");
            assertArrayEquals(
                    new float[] {1, 2, 3}, source.tensor("weight").load().toFloatArray());
            assertTrue(machine.open("volume:models").files().containsKey("tiny/model.safetensors"));
            machine.save("volume:models/new", Map.of("a", machine.ones(2)));
            assertTrue(Files.exists(volume.resolve("new/model.safetensors")));
        }
    }

    @Test
    void nothingBesideTheVolumeIsOpened() throws IOException {
        Path secret = Files.createDirectories(folder.resolve("secret"));
        Files.writeString(secret.resolve("key.json"), "{}");
        Files.createSymbolicLink(volume.resolve("tiny/link.json"), secret.resolve("key.json"));
        try (RemoteMachine machine = machine()) {
            assertRefused("may not open volume:others, only volume:models", () -> machine.open("volume:others"));
            assertRefused("may not open", () -> machine.open("volume:models/../secret"));
            assertRefused("may not open", () -> machine.open("volume:models" + "x"));
            assertRefused(
                    "expected volume:NAME/PATH with a path below the volume, got volume:models//etc",
                    () -> machine.open("volume:models//etc"));
            assertRefused("link.json leads elsewhere", () -> machine.open("volume:models/tiny"));
            assertRefused("may not open file:", () -> machine.open("file:" + volume.resolve("tiny")));
        }
    }

    /** The folder of a volume must not be visible to clients. */
    @Test
    void aRefusalDoesNotTellTheFolder() {
        try (RemoteMachine machine = machine()) {
            for (String uri : new String[] {"volume:other", "volume:models/none", "volume:models/../x"}) {
                String message = assertThrows(OutpostException.class, () -> machine.open(uri))
                        .getMessage();
                assertFalse(message.contains(folder.toString()), message);
            }
        }
    }

    @Test
    void aVolumeWithoutItsFolderIsNoSetting() {
        assertNoSetting(
                "sources: expected volume:NAME=/FOLDER, such as volume:models=/mnt/models, got \"volume:models\"",
                "s3://a,volume:models");
        assertNoSetting("sources: volume:a has two folders, /b and /c", "volume:a=/b, volume:a=/c");
    }

    private static void assertNoSetting(String message, String text) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> SourceSettings.parse(text))
                        .getMessage());
    }

    private static void assertRefused(String part, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }
}
